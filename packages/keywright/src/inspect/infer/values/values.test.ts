import { expect, it } from "vitest"
import { inOrder, type ReadValue } from "./values.ts"
import { times, valuesOf } from "./values.cases.ts"

it.each<[string, string, ReadValue["elements"][], object]>([
  ["strings", "string", [["a"], ["b"]], { read: 2, cells: { count: 2 }, records: 0 }],
  ["sorted sets", "zset", [["a", "1", "b", "2.5"]], { cells: { count: 2 }, scores: { max: 2.5 }, largest: 2 }],
  [
    "streams by entry",
    "stream",
    [["2", "a", "1", "4", "a", "1", "b", "2"], []],
    { records: 2, filled: 1, names: { count: 3 } },
  ],
  [
    "names that are not text",
    "hash",
    [
      [Uint8Array.of(255), "1", "a", "2"],
      ["a", "3"],
    ],
    { binaryNames: 1, misnamed: 1, records: 2 },
  ],
  ["how long lists are", "list", [["a"], ["a", "b"], ["a", "b"], ["a"]], { largest: 2, full: 2, nearlyFull: 2 }],
  ["lists that grew", "list", [["a"], ["a", "b", "c"]], { largest: 3, full: 1, nearlyFull: 0 }],
])("knows of %s", (_, type, all, known) => {
  expect(valuesOf(type, all)).toMatchObject(known)
})

it.each([
  [96, 96],
  [97, undefined],
])("%i names are %s fields", (count, fields) => {
  expect(valuesOf("hash", [times(count, (i) => `f${i}`).flatMap((name) => [name, "1"])]).fields?.size).toBe(fields)
})

const long = "z".repeat(65)
it.each<[string, string[], string[]]>([
  ["set", ["b", "a"], ["a", "b"]],
  ["zset", ["b", "1", "a", "2"], ["a", "2", "b", "1"]],
  ["hash", ["b", "1", "a", "2"], ["b", "1", "a", "2"]],
  ["hash", ["b", long, "a", "2"], ["a", "2", "b", long]],
  ["list", ["b", "a"], ["b", "a"]],
])("a %s of %j is read as %j", (type, elements, ordered) => {
  expect(inOrder({ type, elements, cut: false }).elements).toEqual(ordered)
})
