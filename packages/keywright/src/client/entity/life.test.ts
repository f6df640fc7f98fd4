/* Records whose writer says how long they live, on the embedded engine with a clock
 * that is moved by hand. */

import { type Engine, start } from "@keywright/embedded"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import * as z from "zod"
import { either, entity, json, keyspace, string, text, upTo, map } from "../../index.ts"
import { applyRepair } from "../../change/carry-out/carry-out.ts"
import { planRepair } from "../../change/make-plan/plan-repair.ts"
import { audit } from "../../inspect/index.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"

const Ticket = z.object({ id: z.string(), user: z.string(), seat: z.string() })
const keysOf = (name: string) =>
  ({ all: `${name}:list`, unique: { seat: `${name}:seat:{seat}` }, index: { user: `${name}:user:{user}` } }) as const
const schema = keyspace({
  ticket: entity("ticket:{id}", json(Ticket), { ttl: upTo("30d"), ...keysOf("ticket") }),
  pass: entity("pass:{id}", { id: text, user: text, seat: text }, { ttl: upTo("30d"), ...keysOf("pass") }),
  card: entity("card:{id}", json(Ticket), { ttl: either("1h", "2h", "never"), ...keysOf("card") }),
  badge: entity("badge:{id}", { id: text, user: text, seat: text }, { ttl: either("1h", "never"), ...keysOf("badge") }),
  fixed: entity("plain:{id}", json(Ticket), { ttl: "10m", ...keysOf("plain") }),
  page: string("page:{id}", text, { ttl: upTo("1h") }),
  cart: map("cart:{id}", text, text, { ttl: upTo("1h") }),
})
const HOUR = 3_600_000
const DAY = 24 * HOUR

describe("the life of a record", () => {
  let engine: Engine
  let db: ClientOf<typeof schema>
  const raw = (...command: string[]) => db.$driver().send(command)
  const keys = async () => ((await raw("KEYS", "*")) as string[]).sort()
  const now = async () => {
    const [seconds, micros] = (await raw("TIME")) as string[]
    return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
  }
  const left = async (...names: string[]) => Promise.all(names.map((key) => raw("PTTL", key)))
  const dueIn = async (name: string) => {
    const [, score] = (await raw("ZRANGE", `keywright:expiry:${name}:{id}`, "0", "-1", "WITHSCORES")) as string[]
    return score === undefined ? undefined : Number(score) - (await now())
  }
  const findings = async () => (await audit(schema, db.$driver())).findings.map(({ code, key }) => `${code} ${key}`)
  const code = (call: Promise<unknown>) =>
    call.then(
      () => "done",
      (error: { code: string }) => error.code,
    )

  beforeAll(async () => {
    engine = await start({ clock: { still: true } })
    db = await connect(schema, { engine }, { sweep: false })
  })
  beforeEach(() => raw("FLUSHALL"))
  afterAll(async () => {
    await db.$close()
    await engine.stop()
  })

  for (const name of ["ticket", "pass"] as const)
    describe(name === "ticket" ? "as a document" : "as a hash", () => {
      const ann = { id: "1", user: "ann", seat: "A1" }
      const both = [`${name}:1`, `${name}:seat:A1`]

      test("is the longest, unless the writer says otherwise", async () => {
        await db[name].create(ann)
        expect([...(await left(...both)), await dueIn(name)]).toEqual([30 * DAY, 30 * DAY, 30 * DAY])
      })

      test("is what the writer says, for the record, its unique keys and its note", async () => {
        await db[name].create(ann, { ttl: "1h" })
        expect([...(await left(...both)), await dueIn(name)]).toEqual([HOUR, HOUR, HOUR])
        await engine.forward("59m")
        expect(await db.$sweep()).toBe(0)
        await engine.forward("2m")
        expect(await db.$sweep()).toBe(1)
        expect(await keys()).toEqual([])
      })

      test("ends at an instant, by the server's clock", async () => {
        await engine.forward("400d") // This process and the server do not agree about the time.
        const expireAt = new Date((await now()) + 2 * DAY)
        await db[name].create(ann, { expireAt })
        expect([...(await left(...both)), await dueIn(name)]).toEqual([2 * DAY, 2 * DAY, 2 * DAY])
        await engine.forward("2d")
        await engine.forward("1ms")
        expect(await db.$sweep()).toBe(1)
        expect(await keys()).toEqual([])
      })

      test("is kept by a change that says nothing of it, also where unique values and indexes move", async () => {
        await db[name].create(ann, { ttl: "1h" })
        await engine.forward("20m")
        await db[name].update("1", { user: "bob", seat: "B1" })
        const rest = 40 * 60_000
        expect([...(await left(`${name}:1`, `${name}:seat:B1`)), await dueIn(name)]).toEqual([rest, rest, rest])
        expect(await raw("ZCARD", `keywright:expiry:${name}:{id}`)).toBe(1)
        await engine.forward("41m")
        expect(await db.$sweep()).toBe(1)
        expect(await keys()).toEqual([])
      })

      test("is made longer and shorter by a change", async () => {
        await db[name].create(ann, { ttl: "1h" })
        await db[name].update("1", {}, { ttl: "3h" })
        expect([...(await left(...both)), await dueIn(name)]).toEqual([3 * HOUR, 3 * HOUR, 3 * HOUR])
        await db[name].upsert({ ...ann, user: "bob" }, { ttl: "1m" })
        expect([...(await left(...both)), await dueIn(name)]).toEqual([60_000, 60_000, 60_000])
        await db[name].replace("1", ann, { expireAt: new Date((await now()) + HOUR) })
        expect([...(await left(...both)), await dueIn(name)]).toEqual([HOUR, HOUR, HOUR])
        expect(await raw("ZCARD", `keywright:expiry:${name}:{id}`)).toBe(1)
      })

      test("goes with what a transaction writes, and stays when it writes again", async () => {
        await db.$transaction(async (t) => {
          await t[name].create(ann, { ttl: "1h" })
          await t[name].update("1", { user: "bob" })
        })
        expect([...(await left(...both)), await dueIn(name)]).toEqual([HOUR, HOUR, HOUR])
        await db.$transaction(async (t) => {
          await t[name].update("1", { seat: "A2" }, { expireAt: new Date((await now()) + DAY) })
          await t[name].upsert({ ...ann, user: "eve" })
        })
        expect([...(await left(...both)), await dueIn(name)]).toEqual([DAY, DAY, DAY])
      })

      test.each<[string, () => Promise<object>, string]>([
        ["longer than the bound", async () => ({ ttl: "31d" }), "TTL.BEYOND"],
        ["that never ends", async () => ({ ttl: "never" }), "TTL.BEYOND"],
        ["of nothing", async () => ({ ttl: "0s" }), "DEFINE.DURATION"],
        ["that is negative", async () => ({ ttl: "-1s" }), "DEFINE.DURATION"],
        ["that is not a number", async () => ({ ttl: "NaNs" }), "DEFINE.DURATION"],
        ["beyond all numbers", async () => ({ ttl: `${"9".repeat(400)}d` }), "DEFINE.DURATION"],
        ["that is not a duration", async () => ({ ttl: 60 }), "DEFINE.DURATION"],
        ["that has passed", async () => ({ expireAt: new Date((await now()) - 1) }), "TTL.BEYOND"],
        ["that ends now", async () => ({ expireAt: new Date(await now()) }), "TTL.BEYOND"],
        ["that ends too late", async () => ({ expireAt: new Date((await now()) + 30 * DAY + 1) }), "TTL.BEYOND"],
        ["that ends at no time", async () => ({ expireAt: new Date(Number.NaN) }), "TTL.BEYOND"],
        ["that ends at a number", async () => ({ expireAt: 5 }), "TTL.BEYOND"],
        ["said twice", async () => ({ ttl: "1h", expireAt: new Date((await now()) + HOUR) }), "TTL.TWICE"],
      ])("is refused before anything is written: one %s", async (_, notes, expected) => {
        const life = (await notes()) as never
        expect(await code(db[name].create(ann, life))).toBe(expected)
        expect(await code(db[name].upsert(ann, life))).toBe(expected)
        expect(await code(db.$transaction((t) => t[name].create(ann, life)))).toBe(expected)
        expect(await keys()).toEqual([])
        await db[name].create(ann, { ttl: "1h" })
        expect(await code(db[name].update("1", { user: "bob" }, life))).toBe(expected)
        expect([(await db[name].get("1"))?.user, ...(await left(...both))]).toEqual(["ann", HOUR, HOUR])
      })
    })

  for (const name of ["card", "badge"] as const)
    describe(name === "card" ? "one of several, as a document" : "one of several, as a hash", () => {
      const ann = { id: "1", user: "ann", seat: "A1" }
      const both = [`${name}:1`, `${name}:seat:A1`]

      test("has to be chosen, and can be for ever: then nothing is noted", async () => {
        expect(await code(db[name].create(ann, {} as never))).toBe("TTL.CHOICE")
        expect(await code(db[name].create(ann, { ttl: "5h" }))).toBe("TTL.CHOICE")
        expect(await code(db[name].create(ann, { expireAt: new Date() } as never))).toBe("TTL.CHOICE")
        expect(await keys()).toEqual([])
        await db[name].create(ann, { ttl: "never" })
        expect([...(await left(...both)), await dueIn(name)]).toEqual([-1, -1, undefined])
        await db[name].update("1", { user: "bob", seat: "B1" })
        expect(await left(`${name}:1`, `${name}:seat:B1`)).toEqual([-1, -1])
        expect(await findings()).toEqual([])
      })

      test("changes from an hour to for ever and back", async () => {
        await db[name].create(ann, { ttl: "1h" })
        expect([...(await left(...both)), await dueIn(name)]).toEqual([HOUR, HOUR, HOUR])
        await db[name].update("1", {}, { ttl: "never" })
        expect([...(await left(...both)), await dueIn(name)]).toEqual([-1, -1, undefined])
        await engine.forward("90m")
        expect(await db.$sweep()).toBe(0)
        expect((await db[name].find("seat", { seat: "A1" }))?.id).toBe("1")
        await db[name].update("1", {}, { ttl: "1h" })
        expect([...(await left(...both)), await dueIn(name)]).toEqual([HOUR, HOUR, HOUR])
        await engine.forward("61m")
        await db.$sweep()
        expect(await keys()).toEqual([])
      })
    })

  test("is not for the writer to say where the schema has decided", async () => {
    const ann = { id: "1", user: "ann", seat: "A1" }
    for (const life of [{ ttl: "1h" }, { expireAt: new Date() }])
      expect(await code(db.fixed.create(ann, life as never))).toBe("TTL.DECIDED")
    expect(await keys()).toEqual([])
  })

  test("that ended is over: what is created again has its own, and an older note does it no harm", async () => {
    await db.ticket.create({ id: "1", user: "ann", seat: "A1" }, { ttl: "1m" })
    await engine.forward("61s")
    await db.ticket.create({ id: "1", user: "bob", seat: "A1" }, { ttl: "1h" })
    expect(await db.$sweep()).toBe(0)
    expect(await raw("SMEMBERS", "ticket:user:bob")).toEqual(["1"])
    expect(await raw("EXISTS", "ticket:user:ann")).toBe(0)
    expect(await raw("PTTL", "ticket:1")).toBe(HOUR)
    await engine.forward("61m")
    expect(await db.$sweep()).toBe(1)
    expect(await keys()).toEqual([])
  })

  test("is audited against the bound, and a unique key that repair rebuilds gets what the record has left", async () => {
    await db.ticket.create({ id: "1", user: "ann", seat: "A1" }, { ttl: "1h" })
    await raw("PEXPIRE", "ticket:1", String(31 * DAY))
    expect(await findings()).toEqual(["TTL.TOO_LONG ticket:1"])
    await raw("PEXPIRE", "ticket:1", String(HOUR))
    await raw("DEL", "ticket:seat:A1")
    await engine.forward("20m")
    const { findings: found } = await audit(schema, db.$driver())
    expect(found.map((one) => one.code)).toEqual(["UNIQUE.MISSING"])
    await applyRepair(await planRepair(found, schema as never, db.$driver()), db.$driver())
    expect(await left(...["ticket:1", "ticket:seat:A1"])).toEqual([40 * 60_000, 40 * 60_000])
    expect(await findings()).toEqual([])
  })

  test("of plain keys is bounded too: said, or else the longest, and kept by later writes", async () => {
    await db.page({ id: "1" }).set("a")
    await db.page({ id: "2" }).set("a", { ttl: "1m" })
    await db.cart({ id: "1" }).set("x", "1", { ttl: "1m" })
    expect(await left("page:1", "page:2", "cart:1")).toEqual([HOUR, 60_000, 60_000])
    await engine.forward("10s")
    await db.page({ id: "2" }).set("b")
    await db.cart({ id: "1" }).set("y", "1")
    expect(await left("page:2", "cart:1")).toEqual([50_000, 50_000])
    await db.page({ id: "2" }).set("c", { ttl: "30m" })
    expect(await left("page:2")).toEqual([30 * 60_000])
    expect(await code(db.page({ id: "2" }).set("d", { ttl: "2h" }))).toBe("TTL.BEYOND")
    expect(await code(db.page({ id: "2" }).set("d", { ttl: "never" }))).toBe("TTL.BEYOND")
    expect(await code(db.cart({ id: "1" }).set("z", "1", { ttl: "2h" }))).toBe("TTL.BEYOND")
    expect(await db.page({ id: "2" }).get()).toBe("c")
  })
})
