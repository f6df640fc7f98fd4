import { expect, it } from "vitest"
import type { MessagingContext } from "../context.ts"
import { contactLists, person } from "./contact-lists.ts"
import { presence } from "./presence.ts"

/** A user with this many contacts; whole lists and many statuses are read when it is told to. */
function userWith(count: number) {
  const list = Array.from({ length: count }, (_, i) => person(`u${i}`))
  const redis = { isUp: true }
  let begun = 0
  let end = () => {}
  const isOver = new Promise<void>((resolve) => (end = resolve))
  const range = async (from: number, to: number) => {
    if (to >= 0) return list.slice(from, to + 1)
    begun += 1
    await isOver
    return list
  }
  const homes = { person: () => ({ contacts: () => ({ range }), status: () => undefined }) }
  const $getMany = async (users: readonly unknown[]) => {
    if (users.length > 11 && users.length <= 100) {
      begun += 1
      await isOver
    }
    return users.map(() => undefined)
  }
  const db = { $getMany }
  const context = { db, homes, redis, settings: {} } as unknown as MessagingContext
  const { statuses } = presence(context, contactLists(context), {} as never)
  const ask = () => statuses({ project: "456", service: "789" }, "u1")
  return { ask, redis, begun: () => begun, end }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it.each([
  ["many contacts, the lists", 5000],
  ["more than a few contacts, the statuses", 99],
])("of users with %s of four requests are read at once, and none when Redis is gone", async (_, count) => {
  const { ask, redis, begun, end } = userWith(count)
  const asked = Array.from({ length: 50 }, ask)
  await settled()
  expect(begun()).toBe(4)
  redis.isUp = false
  end()
  const outcomes = await Promise.allSettled(asked)
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(4)
  for (const one of outcomes.slice(4)) expect(one).toMatchObject({ reason: { code: "redis_unavailable" } })
  expect(begun()).toBe(4)
})

it("those with few contacts wait for nobody", async () => {
  const { ask, begun } = userWith(10)
  const asked = Array.from({ length: 50 }, ask)
  for (const found of await Promise.all(asked)) expect(found).toHaveLength(11)
  expect(begun()).toBe(0)
})
