import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as z from "zod"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { OutcomeUnknown } from "../../errors/outcome.ts"
import { json } from "../../schema/codec/json.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { string } from "../../schema/define.ts"
import { entity, replicated } from "../../schema/entity.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { arrayOf, maybe, step } from "../../schema/step.ts"
import { connect } from "../connect.ts"

/** A step that appends to the log, and replies as the script ends. */
const noting = { keys: ["log"], args: { what: text }, durability: replicated(1) } as const
const noteAnd = (ending: string) => `-- KEYS log  ARGV text\nredis.call('APPEND', KEYS[1], ARGV[1])\n${ending}`

const bank = keyspace(
  {
    payment: entity("payment:{id}", json(z.object({ id: z.string(), sum: z.number() })), {
      counter: "payment:counter",
      durability: replicated(1),
    }),
    log: string("log", text),
  },
  {
    ttl: "never",
    steps: {
      note: step({
        script: "-- KEYS log  ARGV text\nreturn redis.call('APPEND', KEYS[1], ARGV[1])",
        keys: ["log"],
        args: { what: text },
        returns: int,
        durability: replicated(1),
      }),
      noteNothing: step({ ...noting, script: noteAnd("") }),
      noteOnce: step({ ...noting, script: noteAnd(""), once: true }),
      noteNone: step({ ...noting, script: noteAnd("return false"), returns: maybe(text) }),
      noteList: step({ ...noting, script: noteAnd("return {}"), returns: arrayOf(text) }),
    },
  },
)

describe.runIf(needs("redis-server"))("durability", () => {
  let primary: RealRedis
  let replica: RealRedis
  beforeAll(async () => {
    primary = await startRedis()
    replica = await startRedis({ args: ["--replicaof", "127.0.0.1", String(primary.port)] })
    // The replica calls its link up before the primary counts it for WAIT.
    const driver = openResp(primary.url)
    while (!String(await driver.send(["INFO", "replication"])).includes("state=online"))
      await new Promise((resolve) => setTimeout(resolve, 20))
    await driver.close()
  })
  afterAll(async () => {
    await replica?.stop()
    await primary?.stop()
  })

  test("a save waits until a replica has it, and says so when it has not", async () => {
    const db = await connect(bank, primary.url)
    const beside = openResp(replica.url)
    const told = await db.$explain((x) => x.payment.create({ sum: 1 }))
    expect(told.writes.at(-1)).toEqual(["WAIT", "1"])
    expect(await db.$driver().send(["DBSIZE"])).toBe(0)

    const many = await Promise.all(Array.from({ length: 20 }, (_, sum) => db.payment.create({ sum })))
    for (const { id, sum } of many)
      expect(JSON.parse((await beside.send(["GET", `payment:${id}`])) as string)).toEqual({ id, sum })
    await db.$transaction((t) => t.payment.update("1", { sum: 99 }))
    expect(await beside.send(["GET", "payment:1"])).toContain("99")

    replica.pause()
    const refused = await db.payment.update("1", { sum: 100 }, { timeoutMs: 400 }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(OutcomeUnknown)
    expect(refused).toMatchObject({ code: "DURABILITY.REPLICAS", details: { wanted: 1, got: 0 } })
    replica.resume()
    expect((await db.payment.update("1", { sum: 100 })).sum).toBe(100)
    await beside.close()
    await db.$close()
  })

  test("a repetition waits for the replicas too", async () => {
    const db = await connect(bank, primary.url)
    const { id } = await db.payment.create({ sum: 1 })
    const notes = { operationId: "again", timeoutMs: 400 }
    const calls = [
      () => db.payment.update(id, { sum: 2 }, notes),
      () => db.$transaction((t) => t.payment.update(id, { sum: 3 }), notes),
    ]
    for (const call of calls) {
      replica.pause()
      for (let i = 0; i < 2; i++) await expect(call()).rejects.toMatchObject({ code: "DURABILITY.REPLICAS" })
      replica.resume()
      await expect(call()).resolves.toMatchObject({ id })
    }
    expect(await db.payment.get(id)).toMatchObject({ sum: 3 })
    await db.$close()
  })

  test("a repetition of a step waits for them, too", async () => {
    const db = await connect(bank, primary.url)
    const call = () => db.$steps.noteOnce({ what: "once" }, { operationId: "noted", timeoutMs: 400 })
    const changes = async () =>
      Number(/rdb_changes_since_last_save:(\d+)/.exec(String(await db.$driver().send(["INFO", "persistence"])))?.[1])
    replica.pause()
    await expect(call()).rejects.toMatchObject({ code: "DURABILITY.REPLICAS" })
    const before = await changes()
    await expect(call()).rejects.toMatchObject({ code: "DURABILITY.REPLICAS" })
    // From Redis 7.2 on, WAIT does not wait on a connection that has only read.
    expect(await changes()).toBeGreaterThan(before)
    replica.resume()
    await call()
    expect(await db.log().get()).toBe("once")
    await db.log().delete()
    await db.$close()
  })

  test("a repetition of a step that asks for a shorter time does not shorten how long it is remembered", async () => {
    const db = await connect(bank, primary.url)
    await db.$steps.noteOnce({ what: "x" }, { operationId: "hour", rememberFor: "1h" })
    await db.$steps.noteOnce({ what: "x" }, { operationId: "hour" })
    const [key] = (await db.$driver().send(["KEYS", "keywright:op:hour:*"])) as string[]
    expect(Number(await db.$driver().send(["PTTL", key!]))).toBeGreaterThan(60_000)
    await db.log().delete()
    await db.$close()
  })

  test("what was written is not called refused when the server may not wait, or becomes a replica", async () => {
    const other = await startRedis()
    const db = await connect(bank, other.url)
    const id = "1"
    const unknown = async (writing: Promise<unknown>, cause: string) => {
      const error = await writing.catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(OutcomeUnknown)
      expect(error).toMatchObject({ code: "DURABILITY.REPLICAS", cause: { code: cause } })
    }
    await db.$driver().send(["ACL", "SETUSER", "default", "-wait"])
    await unknown(db.payment.create({ sum: 1 }), "SERVER.NOPERM")
    await unknown(db.payment.update(id, { sum: 2 }), "SERVER.NOPERM")
    await unknown(db.$steps.note({ what: "x" }), "SERVER.NOPERM")
    await db.$driver().send(["ACL", "SETUSER", "default", "+wait"])
    expect([await db.payment.get(id), await db.log().get()]).toEqual([{ id, sum: 2 }, "x"])

    const writing = [db.payment.update(id, { sum: 3 }), db.$steps.note({ what: "y" })]
    const isBlocked = async () => String(await db.$driver().send(["INFO", "clients"])).includes("blocked_clients:2")
    await expect.poll(isBlocked, { timeout: 4000 }).toBe(true)
    await db.$driver().send(["REPLICAOF", "127.0.0.1", "1"])
    for (const one of writing) await unknown(one, "SERVER.UNBLOCKED")
    expect([await db.payment.get(id), await db.log().get()]).toEqual([{ id, sum: 3 }, "xy"])
    await db.$close()
    await other.stop()
  })

  test("a write that is given up while it waits for a replica is not called unwritten, whatever it replied", async () => {
    const other = await startRedis()
    const beside = openResp(other.url)
    const isBlocked = async () => String(await beside.send(["INFO", "clients"])).includes("blocked_clients:1")
    const ways = {
      abort: (_db: unknown, ending: AbortController) => ending.abort(),
      close: (db: { $close(): Promise<void> }) => db.$close(),
    }
    let noted = 0
    for (const giveUp of Object.values(ways))
      for (const name of ["noteNothing", "noteNone", "noteList", "note"] as const) {
        const db = await connect(bank, other.url)
        const ending = new AbortController()
        const writing = db.$steps[name]({ what: "x" }, { signal: ending.signal, timeoutMs: 10_000 })
        const outcome = writing.catch((error: unknown) => error)
        await expect.poll(isBlocked, { timeout: 4000 }).toBe(true)
        await giveUp(db, ending)
        expect(await outcome).toBeInstanceOf(OutcomeUnknown)
        expect(await beside.send(["STRLEN", "log"])).toBe(++noted)
        await db.$close()
      }
    await beside.close()
    await other.stop()
  })

  test("a step waits until a replica has what it wrote, and says so when it has not", async () => {
    const db = await connect(bank, primary.url)
    const beside = openResp(replica.url)
    await db.log().delete()
    for (let i = 1; i <= 20; i++) {
      expect(await db.$steps.note({ what: "x" })).toBe(i)
      expect(await beside.send(["STRLEN", "log"])).toBe(i)
    }
    replica.pause()
    const refused = await db.$steps.note({ what: "x" }, { timeoutMs: 400 }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(OutcomeUnknown)
    expect(refused).toMatchObject({
      code: "DURABILITY.REPLICAS",
      message: "the step note was written, but 0 of 1 replicas have confirmed it",
    })
    replica.resume()
    expect(await db.$steps.note({ what: "x" })).toBe(22)
    await beside.close()
    await db.$close()
  })
})
