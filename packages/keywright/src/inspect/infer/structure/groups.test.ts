import { expect, it } from "vitest"
import { patternFrom } from "../mine/pattern.cases.ts"
import { familyPrefix, type FoundGroup, groupsOf } from "./groups.ts"

const all = (...spellings: string[]) => spellings.map((spelling) => patternFrom(spelling, "set", [["x"]], ["p", "q"]))
const shown = ({ prefix, family, patterns, groups }: FoundGroup): unknown => [
  prefix ?? "",
  family === true,
  patterns.length,
  groups.map(shown),
]

it.each<[string, string[], unknown]>([
  ["nothing in common", ["a:{int}", "b:{int}"], [["", false, 2, []]]],
  [
    "a beginning of three",
    ["s:{int}:a", "s:{int}:b", "s:{int}:c", "z"],
    [
      ["s:{p}:", false, 3, []],
      ["", false, 1, []],
    ],
  ],
  [
    "a word of five, and others without it",
    ["rq:job:{int}", "rq:queues", "rq:queue:{int}", "rq:workers", "rq:failed", "z", "rq"],
    [
      ["rq:", false, 5, []],
      ["", false, 2, []],
    ],
  ],
  ["a word that all begin with", ["s:a", "s:b", "s:c", "s:d", "s:e"], [["", false, 5, []]]],
  ["a beginning of two", ["s:{int}:a", "s:{int}:b", "z"], [["", false, 3, []]]],
])("patterns with %s", (_, spellings, groups) => {
  expect(groupsOf(all(...spellings), []).map(shown)).toEqual(groups)
})

it("puts a family apart", () => {
  const [room, guests, other] = all("room:{int}", "room:{int}:guests", "other:{int}")
  const groups = groupsOf([room!, guests!, other!], [[room!, guests!]])
  expect(groups.map(shown)).toEqual([
    ["room:{p}", true, 2, []],
    ["", false, 1, []],
  ])
})

it.each([
  [["room:{int}", "room:{int}:guests"], "room:{p}"],
  [["room:{int}:a", "room:{int}:b"], "room:{p}:"],
  [["room:{int}:ab", "room:{int}:ac"], "room:{p}:"],
])("%j share %s", (spellings, prefix) => {
  expect(familyPrefix(all(...spellings))).toBe(prefix)
})
