import { expect, it } from "vitest"
import { oneLine, printable, withoutControls } from "./printable.ts"
import { plainJson } from "../schema/json/plain-json.ts"

it.each([
  ["plain ü 漢 😀", "plain ü 漢 😀"],
  ["a\nb\tc\rd", "a\\nb\\tc\\rd"],
  ["\u001b[2J", "\\x1b[2J"],
  ["\u0085", "\\x85"],
  ["\u202eabc", "\\u{202e}abc"],
  ["zero\u200bwidth", "zero\\u{200b}width"],
  ["filler\u3164", "filler\\u{3164}"],
  ["\ud800 alone", "\\u{d800} alone"],
  ["\u{e0041}", "\\u{e0041}"],
])("%j stays on its line as %s", (text, shown) => {
  expect(oneLine(text)).toBe(shown)
})

it.each([
  ["a\n\tb", "a\n\tb"],
  ["a\u001b[1m\r", "a\\x1b[1m\\x0d".replace("\\x0d", "\\r")],
  ["\u202e\ufeff", "\\u{202e}\\u{feff}"],
  ["hidden\u{e0041}\ufff9\u180e", "hidden\\u{e0041}\\u{fff9}\\u{180e}"],
])("%j keeps its lines as %j", (text, shown) => {
  expect(withoutControls(text)).toBe(shown)
})

it("leaves JSON the same value", () => {
  const value = { "a\u202e": "\u007f\u2028\u{e0041}\n" }
  const shown = plainJson(JSON.stringify(value))
  expect(JSON.parse(shown)).toEqual(value)
  expect(shown).toBe('{"a\\u202e":"\\u007f\\u2028\\udb40\\udc41\\n"}')
})

it("makes all texts of some data safe, names included, and leaves the rest", () => {
  const day = new Date(0)
  expect(printable({ "a\n": ["b\n", new Map([["c\n", "d\n"]]), 1, null, day] })).toEqual({
    "a\\n": ["b\\n", new Map([["c\\n", "d\\n"]]), 1, null, day],
  })
})

it("cuts texts that nobody can read, and says how long they are", () => {
  const { found, kept } = printable({ found: "x".repeat(3_000_000), kept: "y".repeat(1000) })
  expect(found).toBe(`${"x".repeat(1000)}… (3,000,000 characters; --json shows all)`)
  expect(kept).toHaveLength(1000)
})
