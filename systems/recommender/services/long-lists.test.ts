import { expect, it } from "vitest"
import type { RecommenderContext } from "../context.ts"
import { longLists } from "./long-lists.ts"
import { reads } from "./reads.ts"
import { recommendations } from "./recommendations.ts"

/** Users who like this many posts; reads of them end when they are told to. */
function usersWith(count: number) {
  let begun = 0
  let end = () => {}
  const isOver = new Promise<void>((resolve) => (end = resolve))
  const list = async () => {
    begun += 1
    await isOver
    return []
  }
  const size = async () => count
  const user = Object.assign(() => ({ contributions: () => ({ get: async () => [] }) }), {
    likedPosts: () => ({ size, members: list }),
    preferences: () => ({ size: async () => 0, rangeWithScores: async () => [] }),
  })
  const context = { db: { user }, redis: { isUp: true } } as unknown as RecommenderContext
  const inTurn = longLists(context)
  const pool = { size: 0, categories: [] }
  const pools = {
    state: async () => ({ params: { distinct_category: 5 } }),
    current: async () => ({ pool: Promise.resolve(pool), isRead: false }),
  }
  const params = { read: async () => ({}) }
  const blocks = { isBlocking: async () => false }
  const { recommend } = recommendations(context, params as never, pools as never, blocks as never, inTurn)
  const { liked } = reads(context, params as never, {} as never, inTurn)
  const ask = (i: number, client = "a"): Promise<unknown> =>
    i % 2 === 0 ? recommend(i, 100, undefined, client) : liked(i, client)
  return { ask, begun: () => begun, end }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it("the long lists of two users are read at once, whichever users these are and whatever is asked", async () => {
  const { ask, begun, end } = usersWith(10_000)
  const asked = Array.from({ length: 50 }, (_, i) => ask(i))
  await settled()
  expect(begun()).toBe(2)
  end()
  for (const found of await Promise.all(asked)) expect(found).toEqual([])
  expect(begun()).toBe(50)
})

it("clients take turns: one that asks many times keeps others waiting for one of its requests", async () => {
  const { ask, end } = usersWith(10_000)
  const order: string[] = []
  const asking = (client: string, i: number) => ask(i, client).then(() => order.push(client))
  const asked = Array.from({ length: 50 }, (_, i) => asking("a", i))
  await settled()
  asked.push(asking("b", 2), asking("c", 3))
  end()
  await Promise.all(asked)
  expect(order.indexOf("b")).toBeLessThan(6)
  expect(order.indexOf("c")).toBeLessThan(6)
})

it("of others it is read at once", async () => {
  const { ask, begun, end } = usersWith(1000)
  const asked = Array.from({ length: 50 }, (_, i) => ask(i))
  await settled()
  expect(begun()).toBe(50)
  end()
  await Promise.all(asked)
})
