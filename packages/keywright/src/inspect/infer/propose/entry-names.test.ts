import { expect, it } from "vitest"
import { patternFrom } from "../mine/pattern.cases.ts"
import { entryNames } from "./entry-names.ts"

const namesOf = (all: readonly (readonly [string, string, string[]])[], prefix = "") => {
  const patterns = all.map(([spelling, type, names]) => patternFrom(spelling, type, [["x", "1"]], names))
  const named = entryNames(patterns, prefix)
  return patterns.map((pattern) => named.get(pattern))
}

it.each<[string, (readonly [string, string, string[]])[], string[]]>([
  ["in the singular where one key is one thing", [["users:{int}", "string", ["user"]]], ["user"]],
  ["never then, which would make a promise of the client", [["then:{int}", "hash", ["id"]]], ["thenKey"]],
  ["in the plural where one key holds many", [["users", "set", []]], ["users"]],
  ["by the words around a parameter", [["carts:{int}:items", "set", ["cart"]]], ["cartItems"]],
  ["without the word index", [["user:index:mail:{email}", "set", ["email"]]], ["userMail"]],
  ["by what its parameter is, where there is no word", [["{int}", "set", ["id"]]], ["id"]],
  [
    "those with parameters first",
    [
      ["viewed:", "set", []],
      ["viewed:{word}", "set", ["token"]],
    ],
    ["viewedAll", "viewed"],
  ],
  [
    "without what all begin with",
    ["a", "b", "c", "d"].map((word) => [`app:${word}`, "set", []] as [string, string, string[]]),
    ["a", "b", "c", "d"],
  ],
])("%s", (_, patterns, names) => {
  expect(namesOf(patterns)).toEqual(names)
})
