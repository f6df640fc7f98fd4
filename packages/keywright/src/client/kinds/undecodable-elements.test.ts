import { connect, id, int, keyspace, list, map, set, zset, type Undecodable } from "keywright"
import { afterEach, beforeEach, expect, it } from "vitest"
import { onBothServers } from "../servers.cases.ts"

const item = id("item", { matching: /i\d+/ })
const things = keyspace({
  cart: map("cart", item, int),
  items: list("items", item),
  seen: set("seen", item),
  scores: zset("scores", item),
})

onBothServers("an element that does not fit its codec", (server) => {
  let db: Awaited<ReturnType<typeof open>>
  const open = () => connect(things, server().target)
  beforeEach(async () => {
    db = await open()
    await server().raw("HSET", "cart", "i1", "1", "i2", "many", "x", "3")
    await server().raw("RPUSH", "items", "i1", "x", "i2")
    await server().raw("SADD", "seen", "i1", "x")
    await server().raw("ZADD", "scores", "1", "i1", "2", "x", "3", "i3")
  })
  afterEach(() => db.$close())

  it("is left out and told, where somebody wants to be told", async () => {
    const told: Undecodable[] = []
    const lenient = { onUndecodable: (error: Undecodable) => told.push(error) }
    expect(await db.cart().all(lenient)).toEqual(new Map([["i1", 1]]))
    expect(told.map((error) => error.key)).toEqual(["cart", "cart"])
    told.length = 0
    expect(await db.cart().getMany(["i2", "i3", "i1"], lenient)).toEqual([undefined, undefined, 1])
    expect(told.map((error) => error.key)).toEqual(["cart"])
    expect((await db.cart().fields(lenient)).sort()).toEqual(["i1", "i2"])
    expect(told).toHaveLength(2)
    expect(await db.items().range(0, -1, lenient)).toEqual(["i1", "i2"])
    expect(await db.seen().members(lenient)).toEqual(["i1"])
    expect(await db.scores().range(0, -1, lenient)).toEqual(["i1", "i3"])
    expect(await db.scores().rangeWithScores(0, -1, { reverse: true, ...lenient })).toEqual([["i3", 3], ["i1", 1]]) // oxfmt-ignore
    expect(await db.scores().between("-inf", "+inf", lenient)).toHaveLength(2)
    expect(told).toHaveLength(7)
    expect(told[6]).toMatchObject({ code: "VALUE.UNDECODABLE", pattern: "scores" })
  })

  it("is reported inside a MULTI too", async () => {
    const told: Undecodable[] = []
    const [members] = await db.$multi((db) => [db.seen().members({ onUndecodable: (error) => told.push(error) })])
    expect(members).toEqual(["i1"])
    expect(told).toHaveLength(1)
  })

  it("fails the call otherwise", async () => {
    for (const call of [
      db.cart().all(),
      db.cart().fields(),
      db.cart().getMany(["i2"]),
      db.items().range(0, -1),
      db.seen().members(),
      db.scores().range(0, -1),
    ]) {
      await expect(call).rejects.toMatchObject({ code: "VALUE.UNDECODABLE" })
    }
  })
})
