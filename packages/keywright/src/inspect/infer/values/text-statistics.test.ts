import { expect, it } from "vitest"
import { textsOf, times } from "./values.cases.ts"

it.each<[string, string[], object]>([
  ["the span of numbers", ["3", "-1.5", "20"], { min: -1.5, max: 20, longest: 4, scientific: 0 }],
  ["numbers in another form", ["1e3", ".5", "1.5"], { scientific: 2 }],
  ["days as numbers", ["20260131", "17"], { compactDays: 1 }],
  ["signs", ["a:b", "c/d.e-f_g"], { signs: new Set([":", "/"]) }],
  [
    "tags",
    ["u_17", "g_18", "u_19"],
    {
      tags: new Map([
        ["u_", 2],
        ["g_", 1],
      ]),
    },
  ],
  ["that one has no tag", ["u_17", "18x"], { tags: undefined }],
  ["too many tags", ["a_1", "b_1", "c_1", "d_1", "e_1"], { tags: undefined }],
  [
    "how often each came",
    ["a", "b", "a"],
    {
      values: new Map([
        ["a", 2],
        ["b", 1],
      ]),
      samples: ["a", "b", "a"],
    },
  ],
  ["no values when one is long", ["x".repeat(81)], { values: undefined }],
  ["no values when they are many", times(49, String), { values: undefined, count: 49 }],
])("knows %s", (_, values, known) => {
  expect(textsOf(values)).toMatchObject(known)
})

it.each([
  [["a", "b"], true],
  [["a", "user42"], true],
  [["a", "17"], false],
  [[], false],
])("%j are only words and such: %s", (values, only) => {
  expect(textsOf(values).only("word", "mixed")).toBe(only)
})

it("keeps a bounded number of samples", () => {
  expect(textsOf(times(100, String)).samples).toEqual(times(24, String))
})
