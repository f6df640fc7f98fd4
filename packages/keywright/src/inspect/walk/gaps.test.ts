import { expect, it } from "vitest"
import { gapsOf, literalsOf, segmentMatcher } from "./gaps.ts"

it.each([
  ["cart:7:items", ["cart:", ":items"], ["7"]],
  ["cart::items", ["cart:", ":items"], undefined],
  ["cart:7:items:8:items", ["cart:", ":items"], ["7:items:8"]],
  ["a:1:b:2", ["a:", ":b:", ""], ["1", "2"]],
  ["xyz", ["", "", "", ""], ["x", "y", "z"]],
  ["xy", ["", "", "", ""], undefined],
  ["aba", ["ab", "ba"], undefined],
  ["exact", ["exact"], []],
  ["exactly", ["exact"], undefined],
])("%s between %j", (text, literals, gaps) => expect(gapsOf(text, literals)).toEqual(gaps))

it("a text that was made to keep it busy is looked at once", () => {
  const literals = literalsOf(["a", ...Array.from({ length: 20 }, () => [undefined, "a"]).flat(), "!"])
  expect(gapsOf("a".repeat(100_000), literals)).toBeUndefined()
  expect(gapsOf(`${"a".repeat(100_000)}!`, literals)).toHaveLength(20)
  const any = Array.from({ length: 20 }, () => undefined)
  expect(segmentMatcher([...any, "!"]).test("a".repeat(45))).toBe(false)
})
