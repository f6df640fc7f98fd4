import { expect, it } from "vitest"
import { documentsOf } from "./values.cases.ts"

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])

it.each<[string, unknown[], object]>([
  ["numbers", [1, 2.5, -3], { numbers: 3, whole: 2, min: -3, max: 2.5 }],
  ["other scalars", [null, true, "a"], { nulls: 1, booleans: 1, numbers: 0, strings: { count: 1 } }],
  ["arrays", [[1], [], [1, 2]], { arrays: { count: 3, shortest: 0, longest: 2, items: { whole: 3 } } }],
  ["eight levels", [nested(8)], { deep: 0 }],
  [
    "very long arrays in part",
    [Array.from({ length: 1001 }, () => 1)],
    { arrays: { longest: 1001, items: { count: 1000, deep: 1 } } },
  ],
])("knows %s", (_, values, known) => {
  expect(documentsOf(values)).toMatchObject({ count: values.length, ...known })
})

it("does not look deeper than eight levels", () => {
  let at = documentsOf([nested(9)])
  while (at.arrays) at = at.arrays.items
  expect(at).toMatchObject({ count: 1, deep: 1, numbers: 0 })
})

it.each([
  [80, true],
  [81, false],
])("takes %i names for fields: %s", (count, areFields) => {
  const { objects } = documentsOf([Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i]))])
  expect(objects!.fields !== undefined).toBe(areFields)
  expect(objects!.values.count).toBe(areFields ? 0 : 1)
  expect(objects!.first.size).toBe(areFields ? 0 : 80)
})
