/* Objects from outside, handed on as parameters, fields and documents: whatever they contain,
 * a handle that is bound to a shard reads and writes nothing of another one, on one server
 * as on a cluster. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { startRedis } from "../../../../test/real-redis.ts"
import { startPrimaries } from "../../../../test/redis-cluster.ts"
import type { Driver } from "../driver/driver.ts"
import { alice, attacks, bob, boundIn, dave, from, homeOfAlice, homeOfBob, openShards } from "./bound-shard.cases.ts"

const targets = {
  "on one server": async () => {
    const server = await startRedis()
    return { url: server.url, stop: () => server.stop() }
  },
  "on a cluster": async () => {
    const cluster = await startPrimaries(3)
    return { url: cluster.nodes[0]!.url, stop: () => cluster.stop() }
  },
}

for (const [name, start] of Object.entries(targets))
  describe.runIf(needs("redis-server"))(`a group that is bound to a shard, ${name}`, () => {
    let server: Awaited<ReturnType<typeof start>>
    let db: Awaited<ReturnType<typeof openShards>>
    let at: ReturnType<typeof boundIn>
    let raw: Driver
    beforeAll(async () => {
      server = await start()
      db = await openShards(server.url)
      at = boundIn(db)
      raw = db.$driver()
    })
    afterAll(async () => {
      await db?.$close()
      await server?.stop()
    })
    const stored = async (): Promise<Record<string, unknown>> => {
      const found: Record<string, unknown> = {}
      for (const node of await raw.primaries())
        for (const key of (await node.send(["KEYS", "*"])) as string[]) found[key] = await node.send(["DUMP", key])
      return found
    }
    beforeEach(async () => {
      await raw.send(["FLUSHALL"])
      await at.others.order.create({ id: "1", user: bob, item: "secret" })
      await at.own.order.create({ id: "2", user: alice, item: "own" })
      await db.mine({ user: dave }).order.create({ id: "3", user: dave, item: "own" })
      await at.own.account.create({ id: bob })
      await at.others.note({ id: "1" }).set("of bob")
      await at.otherHome.letter.create({ id: "1", project: "p", user: bob, token: `${homeOfBob}t` })
      await at.otherHome.access({ token: `${homeOfBob}t` }).set("of bob")
    })

    for (const [attack, [code, call]] of Object.entries(attacks))
      it(`is not left by ${attack}`, async () => {
        const before = await stored()
        await expect((async () => call(at))()).rejects.toMatchObject({ code })
        expect(await stored()).toEqual(before)
      })

    it("is worked in as before", async () => {
      expect(await at.own.order.listIds("user", from({ user: alice }))).toEqual(["2"])
      expect(await at.shard.order.listIds("user", { user: dave })).toEqual(["3"])
      expect(await at.own.order.listIds("item", { item: "own" })).toEqual(["2", "3"])
      await at.own.account.create({ id: alice })
      expect(await at.own.account.get(alice, { with: { orders: true } })).toMatchObject({ orders: [{ id: "2" }] })
      await db.profile({ user: alice }).profile.create({ id: "own" })
      const withProfile = { profile: { id: "own" } }
      expect(await at.own.order.get("2", { with: { profile: true } })).toMatchObject(withProfile)
      const inside = db.$transaction((tx) => tx.mine({ user: alice }).order.get("2", { with: { profile: true } }))
      if (name === "on one server") expect(await inside).toMatchObject(withProfile)
      else await expect(inside).rejects.toMatchObject({ code: "PLACEMENT.SPLIT" })
      await db.$steps.take({ user: alice, note: from([{ id: "1", user: dave }]) })
      expect(await at.own.note({ id: "1" }).get()).toBe("hit")
      await db.$steps.hand({
        home: homeOfAlice,
        access: [{ token: `${homeOfAlice}t` }],
        status: [{ project: "p", user: alice }],
      })
      await db.byId({ id: alice }).thing.create({ id: alice })
      expect(await db.byId({ id: alice }).thing.get(alice)).toEqual({ id: alice })
      expect(await at.shard.order.deleteAll("user", { user: dave })).toBe(1)
    })

    it("lets go of a document that an older program put into another shard", async () => {
      const key = at.own.first().key.replace("first", "order:9")
      await raw.send(["SET", key, JSON.stringify({ id: "9", user: bob, item: "own" })])
      const before = await at.others.order.listIds("user", { user: bob })
      await at.own.order.update("9", { item: "changed" })
      await at.own.order.delete("9")
      expect(await at.own.order.get("9")).toBeUndefined()
      expect(await at.others.order.listIds("user", { user: bob })).toEqual(before)
    })
  })

it("another user is not named either where there are no shards", async () => {
  const db = await openShards("memory:", 0)
  const own = db.mine({ user: alice })
  await db.mine({ user: bob }).order.create({ id: "1", user: bob, item: "secret" })
  for (const call of [
    () => own.order.listIds("user", { user: bob }),
    () => own.order.deleteAll("user", { user: bob }),
    () => own.order.create({ id: "9", user: bob, item: "x" }),
  ])
    await expect(call()).rejects.toMatchObject({ code: "KEY.BOUND_PARAM" })
  expect(await db.mine.shards()[0]!.order.listIds("user", { user: bob })).toEqual(["1"])
  await db.$close()
})
