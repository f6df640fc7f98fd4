/* Promise: one deadline and one signal hold for the whole of a call: its queue, every
 * round trip, every retry and the pause between. What was not sent is NotApplied.
 *
 * Deadlines are the subject here, so times are compared: with what this process itself
 * could not run for added. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import * as z from "zod"
import { watchPauses } from "../../../../test/machine-pauses.ts"
import { needs } from "../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../test/real-redis.ts"
import { type Proxy, startProxy } from "../../../../test/tcp-proxy.ts"
import { NotApplied, OutcomeUnknown } from "../errors/outcome.ts"
import { json } from "../schema/codec/json.ts"
import { counter, string } from "../schema/define.ts"
import { text } from "../schema/codec/text.ts"
import { entity } from "../schema/entity.ts"
import { keyspace } from "../schema/keyspace.ts"
import type { ClientOf } from "./client.ts"
import { connect } from "./connect.ts"

const schema = keyspace(
  {
    dish: entity("dish:{id}", json(z.object({ id: z.string(), stock: z.number() })), {
      counter: "dish:counter",
      all: "dish:all",
      index: { stock: "dish:stock:{stock}" },
    }),
    n: counter("n:{k}"),
    page: string("page:{k}", text, { ttl: "5m" }),
  },
  { ttl: "never" },
)
type Db = ClientOf<typeof schema>
interface Notes {
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}
const LATE_MS = 100

/** Calls that take more than one round trip, or wait for others. */
const calls: Readonly<Record<string, (db: Db, notes: Notes) => Promise<unknown>>> = {
  update: (db, notes) => db.dish.update("1", ({ stock }) => ({ stock: stock + 1 }), notes),
  replace: (db, notes) => db.dish.replace("1", { stock: 7 }, notes),
  upsert: (db, notes) => db.dish.upsert({ id: "1", stock: 5 }, notes),
  increment: (db, notes) => db.dish.increment("1", "stock", 1, notes),
  create: (db, notes) => db.dish.create({ stock: 1 }, notes),
  delete: (db, notes) => db.dish.delete("2", notes),
  deleteAll: (db, notes) => db.dish.deleteAll("stock", { stock: 3 }, notes),
  list: (db, notes) => db.dish.list("stock", { stock: 5 }, notes),
  all: (db, notes) => db.dish.all(notes),
  count: (db, notes) => db.dish.count(notes),
  exists: (db, notes) => db.dish.exists("1", notes),
  "update with an operation id": (db, notes) => db.dish.update("1", { stock: 2 }, { ...notes, operationId: "a" }),
  "a transaction of three records": (db, notes) =>
    db.$transaction(async (t) => {
      for (const id of ["1", "2", "3"]) await t.dish.update(id, ({ stock }) => ({ stock: stock + 1 }))
    }, notes),
  "a transaction that only reads": (db, notes) =>
    db.$transaction(async (t) => [await t.dish.get("1"), await t.n({ k: "a" }).get()], notes),
  "a transaction whose work takes for ever": (db, notes) => db.$transaction(() => new Promise(() => {}), notes),
}

describe.runIf(needs("redis-server"))("deadlines", () => {
  let redis: RealRedis
  let proxy: Proxy
  let db: Db
  let pauses: ReturnType<typeof watchPauses>
  beforeAll(async () => {
    redis = await startRedis()
    proxy = await startProxy(redis.port)
    db = await connect(schema, proxy.url)
    for (let i = 0; i < 3; i++) await db.dish.create({ stock: i })
  })
  afterAll(async () => {
    redis?.resume()
    await db?.$close()
    await proxy?.close()
    await redis?.stop()
  })
  beforeEach(() => (pauses = watchPauses()))
  afterEach(() => {
    redis.resume()
    proxy.delayReplies(0)
    pauses.stop()
  })

  const settling = async (call: () => Promise<unknown>) => {
    const begun = performance.now()
    const error = await call().then(
      () => undefined,
      (reason: unknown) => reason,
    )
    return { ms: performance.now() - begun - pauses.longestMs, error }
  }

  test.each(Object.entries(calls))("%s, on a server that hangs", async (_, call) => {
    redis.pause()
    const all = await Promise.all(Array.from({ length: 8 }, () => settling(() => call(db, { timeoutMs: 300 }))))
    for (const { ms, error } of all) {
      expect(ms).toBeLessThan(300 + LATE_MS)
      expect([NotApplied, OutcomeUnknown].some((kind) => error instanceof kind)).toBe(true)
    }
  })

  test.each(Object.entries(calls))("%s, given up by its caller", async (_, call) => {
    redis.pause()
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 150)
    const all = await Promise.all(Array.from({ length: 4 }, () => settling(() => call(db, { signal: abort.signal }))))
    for (const { ms, error } of all) {
      expect(ms).toBeLessThan(150 + LATE_MS)
      expect(error).toMatchObject({ code: "DRIVER.ABORTED" })
    }
  })

  test.each(Object.entries(calls))("%s, when every answer takes long", async (_, call) => {
    proxy.delayReplies(200)
    const { ms } = await settling(() => call(db, { timeoutMs: 300 }))
    expect(ms).toBeLessThan(300 + LATE_MS)
  })

  test("against a rival that always wins, an update and a transaction give up in time, and say so", async () => {
    const driver = db.$driver()
    let last = 0
    const win = () => driver.send(["SET", "dish:1", JSON.stringify({ id: "1", stock: last++ })])
    const update = await settling(async () => {
      const over = new AbortController()
      const winning = (async () => {
        while (!over.signal.aborted) await win()
      })()
      try {
        await db.dish.update("1", ({ stock }) => ({ stock: stock + 1000 }), { timeoutMs: 300 })
      } finally {
        over.abort()
        await winning
      }
    })
    expect(update.ms).toBeLessThan(300 + LATE_MS)
    const transact = () =>
      db.$transaction(
        async (t) => {
          const dish = await t.dish.get("1")
          await win()
          await t.dish.update(dish!, { stock: 1 })
        },
        { timeoutMs: 300 },
      )
    // On a slow machine the deadline may pass while a single command is under way: that is said in other words.
    await expect
      .poll(
        async () => {
          const { ms, error } = await settling(transact)
          expect(ms).toBeLessThan(300 + LATE_MS)
          return error
        },
        { timeout: 20_000 },
      )
      .toMatchObject({ name: "Conflict", code: "TRANSACTION.CONTENDED" })
  })

  test("what could not be read was not written: that is certain", async () => {
    redis.pause()
    for (const call of [
      calls["update"]!,
      calls["a transaction that only reads"]!,
      calls["a transaction of three records"]!,
    ])
      expect((await settling(() => call(db, { timeoutMs: 200 }))).error).toBeInstanceOf(NotApplied)
  })
})
