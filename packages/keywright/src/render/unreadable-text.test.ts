import { expect, it } from "vitest"
import { isRefused, refusedText, unreadableText } from "./unreadable-text.ts"

const keys = (pattern: string, count: number, reason = "NOPERM", db = 0) => ({
  db,
  pattern,
  keys: count,
  example: pattern.replace("{id}", "7"),
  reason,
})

it("says nothing when all were read", () => {
  expect(unreadableText([])).toEqual([])
})

it("one reason stands once, above the patterns", () => {
  expect(unreadableText([keys("user:{id}", 1200), keys("cart:{id}", 1, "NOPERM", 3)])).toEqual([
    "1,201 keys could not be read: NOPERM",
    "  1,200 × user:{id}, for example user:7",
    "  1 × [3] cart:{id}, for example cart:7",
  ])
})

it("several reasons stand with their patterns", () => {
  expect(unreadableText([keys("a:{id}", 1), keys("b:{id}", 1, "MODULE")]).slice(1)).toEqual([
    "  1 × a:{id}, for example a:7: NOPERM",
    "  1 × b:{id}, for example b:7: MODULE",
  ])
})

it("after five patterns, the others are counted", () => {
  const lines = unreadableText([1, 2, 3, 4, 5, 6, 7].map((n) => keys(`p${n}:{id}`, 1)))
  expect(lines).toHaveLength(7)
  expect(lines.at(-1)).toBe("  … and of 2 more patterns")
})

it("commands that were refused have a line each", () => {
  const refused = [{ command: "INFO", reason: "NOPERM" }]
  expect(refusedText(refused)).toEqual(["INFO      could not be read: NOPERM"])
  expect([isRefused({ unreadable: refused }, "INFO"), isRefused({}, "INFO")]).toEqual([true, false])
})
