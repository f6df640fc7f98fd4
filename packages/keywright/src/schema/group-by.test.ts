import { expect, it } from "vitest"
import { groupBy } from "./group-by.ts"

it("keeps the order of first appearance, of groups and in them", () => {
  expect([...groupBy(["b1", "a1", "b2"], (text) => text[0])]).toEqual([
    ["b", ["b1", "b2"]],
    ["a", ["a1"]],
  ])
  expect(groupBy([], String).size).toBe(0)
})
