import { expect, it } from "vitest"
import { curve, round } from "./curve.ts"

it.each<[string, [number, number][], string]>([
  [
    "two points are a line",
    [
      [0, 0],
      [10, 4],
    ],
    "M0 0 L5 2  L10 4",
  ],
  [
    "a point between them bends it",
    [
      [0, 0],
      [10, 0],
      [10, 10],
    ],
    "M0 0 L5 0 Q10 0 10 5 L10 10",
  ],
  [
    "one decimal is enough",
    [
      [0, 0],
      [1, 1 / 3],
    ],
    "M0 0 L0.5 0.2  L1 0.3",
  ],
])("%s", (_, points, path) => {
  expect(curve(points.map(([x, y]) => ({ x, y })))).toBe(path)
})

it("rounds to one decimal", () => {
  expect([0.04, 0.05, -1.26].map(round)).toEqual([0, 0.1, -1.3])
})
