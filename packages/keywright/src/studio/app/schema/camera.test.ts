import { expect, it } from "vitest"
import { fitted, zoomed } from "./camera.ts"

it("fits a drawing into its room, in the middle", () => {
  const { x, y, scale } = fitted({ width: 1000, height: 500 }, { width: 532, height: 532 })
  expect(scale).toBeCloseTo(0.5)
  expect([x, y]).toEqual([16, 141])
})

it("zooms around the pointer, and only so far", () => {
  const camera = { x: 10, y: 20, scale: 1 }
  const closer = zoomed(camera, 2, 110, 120)
  // The point under the pointer stays: (110 - 10) / 1 = (110 - x) / 2.
  expect((110 - closer.x) / closer.scale).toBeCloseTo(100)
  expect((120 - closer.y) / closer.scale).toBeCloseTo(100)
  expect(zoomed(camera, 1000, 0, 0).scale).toBe(3)
})
