/* Records that expire, on the embedded engine with a clock that is moved by hand. */

import { type Engine, start } from "@keywright/embedded"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import * as z from "zod"
import { json } from "../../schema/codec/json.ts"
import { text } from "../../schema/codec/text.ts"
import { needs } from "../../../../../test/needs.ts"
import { redisForSuite } from "../../driver/redis-for-suite.cases.ts"
import { set } from "../../schema/define.ts"
import { entity } from "../../schema/entity.ts"
import { scope } from "../../schema/group.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { fixed, sliding } from "../../schema/ttl.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"

const Session = z.object({ id: z.string(), user: z.string(), device: z.string(), at: z.number().optional() })
const indexes = (name: string) =>
  ({
    all: `${name}:list`,
    unique: { device: `${name}:device:{device}` },
    index: { user: `${name}:user:{user}`, recent: { patterns: `${name}:recent:{user}`, score: "at" } },
  }) as const
const login = keyspace(
  {
    session: entity("session:{id}", json(Session), { ttl: "10m", ...indexes("session") }),
    visit: entity("visit:{id}", json(Session), { ttl: fixed("10m"), ...indexes("visit") }),
    token: entity("token:{id}", json(Session), { ttl: sliding("10m"), ...indexes("token") }),
    form: entity("form:{id}", { id: text, user: text }, { ttl: "10m", index: { user: "form:user:{user}" } }),
    tags: set("tags:{sessionId}", text, { ttl: "never" }),
    tag: entity("tag:{id}", json(z.object({ id: z.string() })), { ttl: "never" }),
    tenant: scope("t:{tenant}:", {
      key: entity("key:{id}", json(Session), { ttl: "10m", index: { user: "key:user:{user}" } }),
    }),
  },
  { relations: { session: { tags: { many: "tag", through: "tags" } } } },
)

describe("records that expire", () => {
  let engine: Engine
  let db: ClientOf<typeof login>
  const raw = (...command: string[]) => db.$driver().send(command)
  const keys = async () => ((await raw("KEYS", "*")) as string[]).sort()

  beforeAll(async () => {
    engine = await start({ clock: { still: true } })
    db = await connect(login, { engine }, { sweep: false })
  })
  beforeEach(() => raw("FLUSHALL"))
  afterAll(async () => {
    await db.$close()
    await engine.stop()
  })

  test("are never returned or counted once they are over, swept or not", async () => {
    await db.session.create({ id: "1", user: "ann", device: "phone", at: 1 })
    await engine.forward("599s")
    expect(await db.session.count()).toBe(1)
    await engine.forward("2s")
    expect(await raw("SMEMBERS", "session:list")).toEqual(["1"])
    expect(await db.session.get("1")).toBeUndefined()
    expect(await db.session.find("device", { device: "phone" })).toBeUndefined()
    expect(await db.session.list("user", { user: "ann" })).toEqual([])
    expect(await db.session.listIds("recent", { user: "ann" })).toEqual([])
    expect([await db.session.count(), await db.session.ids(), await db.session.all()]).toEqual([0, [], []])
  })

  test("leave nothing behind after a sweep", async () => {
    for (let i = 0; i < 250; i++) await db.session.create({ id: `s${i}`, user: "ann", device: `d${i}`, at: i })
    await db.form.create({ id: "f", user: "ann" })
    await db.tags({ sessionId: "s1" }).add("x")
    await db.tenant({ tenant: "acme" }).key.create({ id: "1", user: "ann", device: "d" })
    await db.tenant({ tenant: "other" }).key.create({ id: "1", user: "ann", device: "d" })
    expect(await db.$sweep()).toBe(0)
    await engine.forward("601s")
    expect(await db.$sweep()).toBe(253)
    expect(await keys()).toEqual([])
  })

  test("free their unique values at once, and can be created again", async () => {
    await db.session.create({ id: "1", user: "ann", device: "phone" })
    await engine.forward("601s")
    await db.session.create({ id: "2", user: "bob", device: "phone" })
    await db.session.create({ id: "1", user: "eve", device: "tablet", at: 5 })
    expect(await db.$sweep()).toBe(0)
    expect(await raw("EXISTS", "session:user:ann")).toBe(0)
    expect(await raw("SMEMBERS", "session:user:eve")).toEqual(["1"])
    expect((await raw("SMEMBERS", "session:list")) as string[]).toHaveLength(2)
    await engine.forward("601s")
    expect(await db.$sweep()).toBe(2)
    expect(await keys()).toEqual([])
  })

  test("live on with each write, with their unique values and the note of their end", async () => {
    await db.session.create({ id: "1", user: "ann", device: "phone" })
    await engine.forward("400s")
    await db.session.update("1", { user: "bob" })
    await engine.forward("400s")
    expect(await db.$sweep()).toBe(0)
    expect((await db.session.find("device", { device: "phone" }))?.user).toBe("bob")
    await engine.forward("201s")
    expect(await db.$sweep()).toBe(1)
    expect(await keys()).toEqual([])
  })

  test("end when they were to, where the time runs from their creation", async () => {
    await db.visit.create({ id: "1", user: "ann", device: "phone" })
    await engine.forward("400s")
    await db.visit.update("1", { user: "bob", device: "tablet" })
    expect(await raw("PTTL", "visit:1")).toBe(200_000)
    expect(await raw("PTTL", "visit:device:tablet")).toBe(200_000)
    await engine.forward("201s")
    expect(await db.visit.get("1")).toBeUndefined()
    expect(await db.$sweep()).toBe(1)
    expect(await keys()).toEqual([])
  })

  test("live on with each read, where the schema says so", async () => {
    await db.token.create({ id: "1", user: "ann", device: "phone" })
    await engine.forward("400s")
    expect((await db.token.get("1"))?.user).toBe("ann")
    await engine.forward("400s")
    expect((await db.token.find("device", { device: "phone" }))?.user).toBe("ann")
    await engine.forward("400s")
    expect(await db.token.list("user", { user: "ann" })).toHaveLength(1)
    await engine.forward("400s")
    expect(await db.$sweep()).toBe(0)
    await engine.forward("201s")
    expect(await db.$sweep()).toBe(1)
    expect(await keys()).toEqual([])
  })

  test("take their note along when they are deleted", async () => {
    await db.session.create({ id: "1", user: "ann", device: "phone", at: 1 })
    await db.session.delete("1")
    expect(await keys()).toEqual([])
  })

  test("whose TTL was changed by hand keep their entries, and are looked at again", async () => {
    await db.session.create({ id: "1", user: "ann", device: "phone" })
    await raw("PERSIST", "session:1")
    await db.session.create({ id: "2", user: "ann", device: "tablet" })
    await raw("PEXPIRE", "session:2", "900000")
    await raw("ZADD", "keywright:expiry:session:{id}", "1", "not ours")
    await engine.forward("601s")
    expect(await db.$sweep()).toBe(0)
    expect(await raw("SMEMBERS", "session:user:ann")).toEqual(["1", "2"])
    await engine.forward("300s")
    expect(await db.$sweep()).toBe(1)
    expect(await raw("SMEMBERS", "session:user:ann")).toEqual(["1"])
  })

  test("that live lose nothing by a note that names them beside another record, or spells a key of another pattern", async () => {
    await db.session.create({ id: "1", user: "ann", device: "phone" })
    await db.tags({ sessionId: "1" }).add("x")
    await raw("SADD", "tags:1:pending", "y")
    await raw("SADD", "session:user:ann:old", "2")
    await raw("DEL", "keywright:expiry:session:{id}")
    const before = await keys()
    for (const note of ["1\tid=2", '["1","id=2","user=ann"]', "1:pending\t", "2\tuser=ann:old"])
      await raw("ZADD", "keywright:expiry:session:{id}", "1", note)
    await db.$sweep()
    await raw("DEL", "keywright:expiry:session:{id}")
    expect(await keys()).toEqual(before)
    expect(await raw("SMEMBERS", "session:user:ann")).toEqual(["1"])
  })

  test("are swept where a key of another type is in the place of one of them, which is looked at again later", async () => {
    for (const id of ["1", "2"]) await db.session.create({ id, user: "ann", device: id })
    await db.visit.create({ id: "1", user: "ann", device: "3" })
    await engine.forward("601s")
    await raw("HSET", "session:1", "of", "another program")
    expect(await db.$sweep()).toBe(2)
    expect(await raw("SMEMBERS", "session:user:ann")).toEqual(["1"])
    await raw("DEL", "session:1")
    await engine.forward("61s")
    expect(await db.$sweep()).toBe(1)
    expect(await keys()).toEqual([])
  })

  test("are swept beside an entity whose sweep fails, and the error is reported", async () => {
    await db.session.create({ id: "1", user: "ann", device: "1" })
    await db.visit.create({ id: "1", user: "ann", device: "3" })
    await engine.forward("601s")
    const expiry = (await keys()).find((key) => key.startsWith("keywright:expiry:") && key.includes("session"))
    await raw("DEL", expiry!)
    await raw("SET", expiry!, "of another program")
    await expect(db.$sweep()).rejects.toMatchObject({ code: "SERVER.WRONGTYPE" })
    expect(await raw("EXISTS", "visit:user:ann")).toBe(0)
  })

  test("two sweepers at once do no harm, and a job does it by itself", async () => {
    for (let i = 0; i < 50; i++) await db.session.create({ id: `s${i}`, user: "ann", device: `d${i}` })
    await engine.forward("601s")
    const swept = await Promise.all([
      db.$sweep(),
      db.$sweep(),
      db
        .$sweeper()
        .runOnce()
        .then((pass) => pass.swept),
    ])
    expect(swept.reduce((sum, one) => sum + one, 0)).toBe(50)
    expect(await keys()).toEqual([])
  })
})

describe.runIf(needs("redis-server"))("records in their last millisecond", () => {
  const server = redisForSuite()
  const brief = keyspace({ visit: entity("visit:{id}", json(Session), { ttl: fixed("5ms"), ...indexes("visit") }) })

  // Redis says that they have 0 ms left, and still returns them.
  test("are neither swept nor forgotten, and what is written then ends, too", async () => {
    const db = await connect(brief, server.redis.url, { sweep: false })
    for (let i = 0; i < 60; i++) {
      const id = String(i)
      await db.visit.create({ id, user: "ann", device: id })
      for (let n = 0; (await server.driver.send(["EXISTS", `visit:${id}`])) === 1; n++) {
        await db.$sweep()
        if (i % 2 === 0) await db.visit.update(id, { device: `${id}-${n}` }).catch(() => {})
      }
    }
    await db.$sweep()
    expect(await server.driver.send(["KEYS", "*"])).toEqual([])
    await db.$close()
  })
})
