import { expect, it } from "vitest"
import { TextSet } from "./text-set.ts"

it("has none of two texts that were made to have the same public hashes, because it has the other", () => {
  const set = new TextSet()
  set.add("user:uXaAY")
  expect([set.has("user:uXaAY"), set.has("user:VPcb9")]).toEqual([true, false])
})

it.each([0, 1, 511, 513, 5000])("of %i texts it has each, and no other", (count) => {
  const set = new TextSet()
  for (let i = 0; i < count; i++) set.add(`id${i}`)
  for (let i = 0; i < count; i++) set.add(`id${i}`)
  expect(set.size).toBe(count)
  expect(Array.from({ length: count }, (_, i) => set.has(`id${i}`))).not.toContain(false)
  expect(Array.from({ length: 1000 }, (_, i) => set.has(`other${i}`))).not.toContain(true)
})
