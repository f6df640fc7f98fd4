import { expect, test } from "vitest"
import { SeenKeys } from "./seen-keys.ts"

const keysOf = (count: number) => Array.from({ length: count }, (_, i) => `key:${i}`)

test("a few thousand keys are each new once, and known from then on", () => {
  const seen = new SeenKeys()
  expect(keysOf(4096).filter((key) => seen.has(key))).toEqual([])
  expect(keysOf(4096).filter((key) => !seen.has(key))).toEqual([])
})

test("two keys that were made to have the same public hashes are both new", () => {
  const seen = new SeenKeys()
  for (const key of keysOf(5000)) seen.has(key)
  const made = ["user:uXaAY", "user:VPcb9", "pool:8mJMV", "pool:soKU6"]
  expect(made.filter((key) => seen.has(key))).toEqual([])
})

test.each([4097, 200_000])("each of %i keys is new once, and nearly all are known from then on", (count) => {
  const seen = new SeenKeys()
  expect(keysOf(count).filter((key) => seen.has(key))).toEqual([])
  // Where two keys share a slot, the latest is known.
  expect(keysOf(count).filter((key) => !seen.has(key)).length).toBeLessThan(count / 5)
})
