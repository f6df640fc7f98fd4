import { expect, it } from "vitest"
import { alignPoints } from "./align-points.ts"

it("puts series with times of their own on one axis, each with its latest value", () => {
  const { times, rows } = alignPoints([
    [
      [1000, 1],
      [5000, 2],
    ],
    [[3000, 9]],
  ])
  expect(times).toEqual([2, 4, 6])
  expect(rows).toEqual([
    [1, 1, 2],
    [null, 9, 9],
  ])
})
