import { expect, it } from "vitest"
import { Sketch } from "./sketch.ts"

const sketchOf = (from: number, to: number): Sketch => {
  const sketch = new Sketch()
  for (let i = from; i < to; i++) sketch.add(`id${i}`)
  return sketch
}

it.each<[string, Sketch, Sketch, number]>([
  ["the same few", sketchOf(0, 100), sketchOf(0, 100), 1],
  ["a half", sketchOf(0, 100), sketchOf(50, 200), 0.5],
  ["nothing", sketchOf(0, 100), sketchOf(100, 200), 0],
  ["nothing of nothing", new Sketch(), sketchOf(0, 10), 0],
])("few texts are compared exactly: %s", (_, one, other, share) => {
  expect(one.within(other).share).toBe(share)
})

it("of many it keeps few, counts them nearly, and knows what it does not know", () => {
  const many = sketchOf(0, 20_000)
  expect(Math.abs(many.distinct / 20_000 - 1)).toBeLessThan(0.15)
  const { share, of } = many.within(sketchOf(10_000, 30_000))
  expect(Math.abs(share - 0.5)).toBeLessThan(0.1)
  expect(of).toBeLessThan(512)
  const answers = Array.from({ length: 2000 }, (_, i) => many.has(`id${i}`))
  expect(answers).toContain(true)
  expect(answers).toContain(undefined)
  expect(answers).not.toContain(false)
})

it("takes a part of a text, and counts a text once", () => {
  const sketch = new Sketch()
  expect(sketch.isEmpty).toBe(true)
  sketch.add("user:17:cart", 5, 7)
  sketch.add("17")
  expect([sketch.distinct, sketch.has("17"), sketch.has("user:17:cart")]).toEqual([1, true, false])
})
