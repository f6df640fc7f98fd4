import { expect, it } from "vitest"
import type { ShopContext } from "../context.ts"
import { popularity } from "./popularity.ts"

/** Reads end when they are told to. */
function shop(shards: number) {
  const reads: { readonly end: () => void }[] = []
  const read = () => new Promise<[string, number][]>((end) => reads.push({ end: () => end([["a", -1]]) }))
  const db = { popular: () => ({ rangeWithScores: read }), $drains: { views: { top: read } } }
  const context = { db, redis: { isUp: true }, lenient: {}, settings: { shards } }
  return { reads, ...popularity(context as unknown as ShopContext) }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it.each([
  ["of many items", 0, 1000, 0],
  ["that begin far down, where shards are merged,", 4, 100, 1000],
])("lists %s are read one after another, whoever asks, and short ones at once", async (_, shards, limit, offset) => {
  const { reads, top } = shop(shards)
  const long = Array.from({ length: 50 }, () => top(limit, offset))
  await settled()
  expect(reads).toHaveLength(1)
  const short = top(100, 0)
  await settled()
  expect(reads).toHaveLength(2)
  for (let ended = 0; ended < 51; ended++) {
    reads[ended]!.end()
    await settled()
  }
  expect(await Promise.all([...long, short])).toEqual(Array.from({ length: 51 }, () => [{ item: "a", views: 1 }]))
})
