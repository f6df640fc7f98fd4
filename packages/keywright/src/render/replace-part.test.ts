import { expect, it } from "vitest"
import { replacePart } from "./replace-part.ts"

const [begin, end] = ["<!-- keywright:begin -->", "<!-- keywright:end -->"]

it.each<[string, string, string | undefined]>([
  ["between the markers", `a\n${begin}\nold\n${end}\nb`, `a\n${begin}\n\nNEW $&\n\n${end}\nb`],
  ["of an empty part", `${begin}${end}`, `${begin}\n\nNEW $&\n\n${end}`],
  ["nothing without markers", "a", undefined],
  ["nothing without an end", `${begin} a`, undefined],
  ["nothing when the end comes first", `${end} ${begin}`, undefined],
])("replaces %s", (_, text, result) => {
  expect(replacePart(text, "\nNEW $&\n")).toBe(result)
})

it("replaces the whole of a part again in which somebody wrote a marker", () => {
  const hostile = `| \`${end}\` |\n\nmore ${begin} ${end}`
  const once = replacePart(`a\n${begin}\n${end}\nb`, hostile)!
  expect(replacePart(once, hostile)).toBe(once)
  expect(replacePart(once, "NEW")).toBe(`a\n${begin}\n\nNEW\n\n${end}\nb`)
})
