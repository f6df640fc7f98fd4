/* A sharded group on a cluster and on one server: the same program, with and without shards. */

import { inspect } from "node:util"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import * as z from "zod"
import { needs } from "../../../../test/needs.ts"
import { type RealCluster, startPrimaries } from "../../../../test/redis-cluster.ts"
import type { Driver } from "../driver/driver.ts"
import { findDriver } from "../driver/find-driver.ts"
import { audit } from "../inspect/audit/audit.ts"
import { stats } from "../inspect/stats/stats.ts"
import { copyKeys } from "../change/transfer/copy-keys.ts"
import { id } from "../schema/codec/id.ts"
import { keyOf } from "../schema/codec/key-of.ts"
import { json } from "../schema/codec/json.ts"
import { int } from "../schema/codec/number.ts"
import { text } from "../schema/codec/text.ts"
import { secret } from "../schema/codec/wrap.ts"
import { counter, hash, map, set, string, zset } from "../schema/define.ts"
import { entity } from "../schema/entity.ts"
import { family, scope } from "../schema/group.ts"
import { inverse, refersTo, sameIds } from "../schema/invariant.ts"
import { keyspace, type Keyspace } from "../schema/keyspace.ts"
import { checksum } from "../schema/shard.ts"
import { sharded } from "../schema/sharded.ts"
import { step } from "../schema/step.ts"
import { connect } from "./connect.ts"

const [token, owner] = [id("token"), id("owner")]
const shop = (shards: number) =>
  keyspace(
    {
      session: sharded(shards, "token", {
        login: map("login:", token, text),
        recent: zset("recent:", token),
        cart: map("cart:{token}", text, int),
        room: scope("room:{token}:", { note: string("note:{name}", text) }),
        profile: family(
          "profile:{token}",
          { ttl: "1h", marker: "info" },
          { info: hash("", { name: text }), tags: set(":tags", text) },
        ),
      }),
      owned: sharded(shards, "owner", {
        of: scope("thing:{owner}:", {
          thing: entity("{id}", json(z.object({ id: z.string(), kind: z.string() })), {
            counter: "counter",
            all: "all",
            index: { kind: "kind:{kind}" },
          }),
        }),
        total: counter("total:{owner}"),
      }),
      page: string("cache:{hash}", text),
    },
    {
      ttl: "never",
      params: { token, owner },
      invariants: [sameIds(token, ["session.login", "session.recent"])],
      steps: {
        begin: step({
          script: `-- KEYS login, recent  ARGV token, user
redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
return redis.call("ZADD", KEYS[2], 1, ARGV[1])`,
          keys: ["session.login", "session.recent"],
          args: { session: token, user: text },
          returns: int,
          once: true,
        }),
        end: step({
          script: `-- KEYS login, recent, carts  ARGV how many, token
redis.call("HDEL", KEYS[1], ARGV[2])
redis.call("ZREM", KEYS[2], ARGV[2])
return redis.call("UNLINK", unpack(KEYS, 3))`,
          keys: ["session.login", "session.recent", "session.cart[]"],
          args: { session: token },
          returns: int,
        }),
      },
    },
  )

describe.runIf(needs("redis-server"))("a sharded group", () => {
  let cluster: RealCluster
  let there: Driver
  beforeAll(async () => {
    cluster = await startPrimaries(3)
    there = findDriver(cluster.nodes[0]!.url)
  })
  beforeEach(() => there.send(["FLUSHALL"]))
  afterAll(async () => {
    await there?.close()
    await cluster?.stop()
  })
  const tokens = Array.from({ length: 60 }, (_, i) => `t${i}`)

  for (const [name, shards, target] of [
    ["on a cluster", 64, () => cluster.nodes[0]!.url],
    ["without shards, in memory", 0, () => "memory:"],
  ] as const)
    it(`is bound once, by steps too, and jobs walk through its shards: ${name}`, async () => {
      const db = await connect(shop(shards), target())
      for (const token of tokens) {
        expect(await db.$steps.begin({ token, session: token, user: `u-${token}` })).toBe(1)
        const session = db.session({ token })
        await session.cart().set("item", 2)
        await db.session.cart({ token }).increment("item", 1)
        expect(await session.cart().get("item")).toBe(3)
        expect(await session.login().get(token)).toBe(`u-${token}`)
      }
      const parts = db.session.shards()
      expect(parts).toHaveLength(Math.max(1, shards))
      const sizes = await Promise.all(parts.map((shard) => shard.login().size()))
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(60)
      expect(await db.$steps.end({ token: "t1", session: "t1", cart: [{ token: "t1" }] })).toBe(1)
      await db.session({ token: "t2" }).room.note({ name: "n" }).set("x")
      await db.session({ token: "t2" }).profile.$fill({ info: { name: "Ada" }, tags: ["a"] })
      await db.$transaction(async (t) => {
        const cart = t.session({ token: "t3" }).cart()
        const left = (await cart.get("item")) ?? 0
        await cart.set("item", left + 4)
        await t.session({ token: "t3" }).login().set("t3", "changed")
      })
      expect(await db.session({ token: "t3" }).cart().get("item")).toBe(7)
      const things = db.owned({ owner: "ann" }).of.thing
      expect((await things.create({ kind: "book" })).id).toBe("1")
      expect((await things.create({ kind: "book" })).id).toBe("2")
      await things.delete("1")
      expect((await things.list("kind", { kind: "book" })).map(({ id }) => id)).toEqual(["2"])
      const found: string[] = []
      for await (const { params } of db.session.cart.scan()) found.push(params.token)
      expect(found).toHaveLength(59)
      expect((await audit(db.$keyspace as Keyspace, db.$driver())).summary).toEqual({})
      const counted = await stats(db.$keyspace as Keyspace, db.$driver())
      expect(counted.databases[0]!.patterns.filter(({ pattern }) => pattern.endsWith("cart:{token}"))).toMatchObject([
        { keys: 59 },
      ])
      await db.$close()
    })

  it("spreads over all nodes", async () => {
    const db = await connect(shop(64), cluster.nodes[0]!.url)
    await Promise.all(tokens.map((token) => db.session({ token }).cart().set("item", 1)))
    const sizes = await Promise.all((await there.primaries()).map((node) => node.send(["DBSIZE"])))
    for (const size of sizes) expect(Number(size)).toBeGreaterThan(5)
    await db.$close()
  })

  it("refuses a transaction over two shards, and the plain names, on a cluster", async () => {
    await expect(connect(shop(0), cluster.nodes[0]!.url)).rejects.toMatchObject({ code: "PLACEMENT.SPLIT" })
    const db = await connect(shop(64), cluster.nodes[0]!.url)
    const both = db.$transaction(async (t) => {
      await t.session({ token: "t1" }).cart().set("item", 1)
      await t.session({ token: "t2" }).cart().set("item", 1)
    })
    await expect(both).rejects.toMatchObject({ code: "PLACEMENT.SPLIT" })
    const arrays = db.$steps.end({ token: "t1", session: "t1", cart: [{ token: "t1" }, { token: "t2" }] })
    await expect(arrays).rejects.toMatchObject({ code: "KEY.OTHER_SHARD" })
    await db.$close()
  })

  it("finds keys that are in another shard than theirs", async () => {
    const db = await connect(shop(64), cluster.nodes[0]!.url)
    await db.$steps.begin({ token: "t1", session: "t1", user: "ann" })
    const right = db.session({ token: "t1" }).cart().key
    const wrong = `{${db.session({ token: "t2" }).cart().key.slice(1).split("}")[0]}}:cart:t1`
    await there.send(["HSET", right, "item", "1"])
    await there.send(["HSET", wrong, "item", "1"])
    const { findings } = await audit(db.$keyspace as Keyspace, there)
    expect(findings.map(({ code, key }) => [code, key])).toEqual([["SHARD.WRONG", wrong]])
    await db.$close()
  })

  it("is copied from the plain names to shards, key by key", async () => {
    const plain = keyspace({ cart: sharded(0, "token", { items: map("cart:{token}", text, int) }) }, { ttl: "never" })
    const spread = keyspace({ cart: sharded(64, "token", { items: map("cart:{token}", text, int) }) }, { ttl: "never" })
    const from = await connect(plain, "memory:")
    await Promise.all(tokens.map((token) => from.cart({ token }).items().set("item", 1)))
    const result = await copyKeys(plain as Keyspace, from.$driver(), there, { to: spread as Keyspace })
    expect(result).toMatchObject({ verified: true, keys: 60 })
    const to = await connect(spread, cluster.nodes[0]!.url)
    for (const token of tokens) expect(await to.cart({ token }).items().get("item")).toBe(1)
    expect((await audit(spread as Keyspace, there)).summary).toEqual({})
    await Promise.all([from.$close(), to.$close()])
  })

  it("is copied element by element where those belong to different shards, again and again", async () => {
    const [plain, spread] = [shop(0), shop(64)]
    const from = await connect(plain, "memory:")
    const to = await connect(spread, cluster.nodes[0]!.url)
    const copy = () => copyKeys(plain as Keyspace, from.$driver(), there, { to: spread as Keyspace, overwrite: true })
    const raw = (...words: string[]) => from.$driver().send(words)
    const many = Array.from({ length: 12_000 }, (_, i) => `m${i}`)
    for (const token of tokens) await from.$steps.begin({ token, session: token, user: `u-${token}` })
    await raw("HSET", "login:", ...many.flatMap((token) => [token, "u"]))
    await raw("ZADD", "recent:", ...many.flatMap((token, i) => [String(i), token]))
    await from.session({ token: "t1" }).cart().set("item", 1)
    const first = await copy()
    expect(first).toMatchObject({ verified: true, patterns: { "{{shard}}:login:": { from: 64, to: 64, same: true } } })
    expect(await to.session.merged.login().size()).toBe(12_060)
    expect(await to.session({ token: "m7" }).recent().score("m7")).toBe(7)
    expect(await to.session({ token: "t7" }).login().get("t7")).toBe("u-t7")
    expect((await audit(spread as Keyspace, there)).summary).toEqual({})

    await raw("HDEL", "login:", ...many, ...tokens.slice(1))
    await raw("ZREM", "recent:", ...many, ...tokens.slice(1))
    await raw("HSET", "login:", "t0", "changed")
    const second = await copy()
    expect(second).toMatchObject({ verified: true, patterns: { "{{shard}}:login:": { from: 1, to: 1, same: true } } })
    expect(second.rounds.at(-1)).toMatchObject({ written: 0, deleted: 0 })
    expect(await to.session({ token: "t0" }).login().get("t0")).toBe("changed")
    const left = (await there.send(["KEYS", "*"])) as string[]
    expect(left.filter((key) => /:(login|recent):$/.test(key))).toHaveLength(2)

    await raw("DEL", "login:", "recent:", "cart:t1")
    expect(await copy()).toMatchObject({ verified: true })
    expect(await there.send(["KEYS", "*"])).toEqual([])
    await raw("SET", "login:", "not a map")
    await expect(copy()).rejects.toMatchObject({ code: "COPY.ELEMENTS" })
    const fewer = copyKeys(shop(64) as Keyspace, there, from.$driver(), { to: shop(16) as Keyspace })
    await expect(fewer).rejects.toMatchObject({ code: "COPY.OTHER_SCHEMA" })
    await Promise.all([from.$close(), to.$close()])
  })

  it("is not copied as another type, and the error has no secret part of its key", async () => {
    const visits = (shards: number) =>
      keyspace(
        { user: sharded(shards, "user", { visits: map("visits:{token}", id("user"), int) }) },
        { ttl: "never", params: { user: id("user"), token: secret(text) } },
      ) as unknown as Keyspace
    const from = await connect(visits(0), "memory:")
    await from.$driver().send(["SET", "visits:CANARY", "not a map"])
    const copied = copyKeys(visits(0), from.$driver(), there, { to: visits(64) })
    const error = await copied.catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: "COPY.ELEMENTS", message: expect.stringContaining("visits:…") })
    expect(inspect(error, { depth: 20 })).not.toContain("CANARY")
    await from.$close()
  })

  it("by several parameters is copied and audited: elements complete them, and values name keys of their shard", async () => {
    const [user, room] = [id("user"), id("room")]
    const people = (shards: number) =>
      keyspace(
        {
          people: sharded(
            shards,
            "home",
            {
              rooms: set("P:{project}:rooms:{user}", room),
              online: set("P:{project}:OnSub", user),
              access: string("AccTok:{token}", user),
              tokens: map("TokensKeys", token, keyOf({ access: "AccTok:{token}" })),
              sweep: set("sweep", text, { evictable: true }),
            },
            { checksumOf: ["project", "user"], startOf: ["token"] },
          ),
          rooms: sharded(
            shards,
            "home",
            { members: set("P:{project}:room:{room}", user) },
            { checksumOf: ["project", "room"] },
          ),
        },
        {
          ttl: "never",
          params: { token, user, room },
          invariants: [inverse("people.rooms", "rooms.members"), refersTo(token, "people.access", "people.tokens")],
        },
      )
    const split = "inverse(people.rooms, rooms.members)"
    const from = await connect(people(0), "memory:")
    const to = await connect(people(64), cluster.nodes[0]!.url, { acceptSplit: [split] })
    const users = Array.from({ length: 60 }, (_, i) => `u${i}`)
    const [project, inRoom] = ["p1", { home: checksum("p1", "r1") }]
    for (const user of users) {
      const home = checksum(project, user)
      const [own, issued] = [from.people({ home }), `${home}-${user}`]
      await own.rooms({ project, user }).add("r1")
      await own.online({ project }).add(user)
      await own.access({ token: issued }).set(user)
      await own.tokens().set(issued, { to: "access", params: { token: issued } })
      await own.sweep().add("P:p1:OnSub")
      await from.rooms(inRoom).members({ project, room: "r1" }).add(user)
    }
    const result = await copyKeys(people(0) as Keyspace, from.$driver(), there, { to: people(64) as Keyspace })
    expect(result).toMatchObject({ verified: true, foreign: 0 })
    expect(await to.people.merged.online({ project }).size()).toBe(60)
    expect(await to.people.merged.sweep().size()).toBe(0)
    const auditNow = async () => (await audit(people(64) as Keyspace, there)).summary
    for (const user of users) {
      const issued = `${checksum(project, user)}-${user}`
      const own = to.people({ home: issued.slice(0, 4) })
      expect(await own.access({ token: issued }).get()).toBe(user)
      expect(await own.tokens().get(issued)).toEqual({ to: "access", params: { token: issued } })
      expect(await own.rooms({ project, user }).has("r1")).toBe(true)
    }
    expect(await auditNow()).toEqual({})
    await to
      .people({ home: checksum(project, "u1") })
      .rooms({ project, user: "u1" })
      .add("r2")
    await to
      .people({ home: checksum(project, "u2") })
      .access({ token: `${checksum(project, "u2")}-u2` })
      .delete()
    expect(await auditNow()).toEqual({ "INVERSE.MISSING": 1, "KEYOF.DANGLING": 1 })
    const other = to.people({ home: checksum(project, "u2") })
    expect(() => other.rooms({ project, user: "u1" })).toThrow("another shard than")
    await Promise.all([from.$close(), to.$close()])
  })
})
