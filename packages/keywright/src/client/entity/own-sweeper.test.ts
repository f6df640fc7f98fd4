/* The sweeper that nobody starts. */

import { start } from "@keywright/embedded"
import { Redis } from "ioredis"
import { createClient } from "redis"
import { afterEach, describe, expect, test } from "vitest"
import * as z from "zod"
import { runProgram } from "../../../../../test/child-program.ts"
import { isFull } from "../../../../../test/full.ts"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { entity, json, keyspace } from "../../index.ts"
import { connect, type ConnectOptions } from "../connect.ts"
import type { Target } from "../target.ts"

const declared = (ttl: "40ms" | "10m") =>
  keyspace({
    session: entity("session:{id}", json(z.object({ id: z.string(), user: z.string() })), {
      ttl,
      all: "session:list",
      index: { user: "session:user:{user}" },
    }),
  })
const session = (i: number) => ({ id: `s${i}`, user: "ann" })

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (let close = closing.pop(); close; close = closing.pop()) await close()
})
async function open(target: Target, options?: ConnectOptions, schema = declared("40ms")) {
  const db = await connect(schema, target, { timeoutMs: 10_000, ...options })
  closing.push(() => db.$close())
  return db
}
type Db = Awaited<ReturnType<typeof open>>
const left = async (db: Db) => Number(await db.$driver().send(["DBSIZE"], { safe: true, timeoutMs: 10_000 }))

describe("on the embedded engine", () => {
  async function begun(options?: ConnectOptions) {
    const engine = await start({ clock: { still: true } })
    closing.push(() => engine.stop())
    return { engine, db: await open({ engine }, options, declared("10m")) }
  }

  test("what a process wrote and what has expired is gone soon, though nobody started anything", async () => {
    const { db, engine } = await begun()
    await Promise.all(Array.from({ length: 150 }, (_, i) => db.session.create(session(i))))
    await engine.forward("601s")
    await expect.poll(() => left(db), { timeout: 20_000 }).toBe(0)
  })

  test("it begins with the first record that expires: before, nothing is sent", async () => {
    const { db } = await begun()
    await db.session.get("1")
    const asked = async () => String(await db.$driver().send(["INFO", "commandstats"])).includes("cmdstat_time:")
    await new Promise((resolve) => setTimeout(resolve, 1300))
    expect(await asked()).toBe(false)
    await db.session.create(session(1))
    await expect.poll(asked, { timeout: 20_000 }).toBe(true)
  })

  test("it is turned off by sweep: false", async () => {
    const { db, engine } = await begun({ sweep: false })
    await db.session.create(session(1))
    await engine.forward("601s")
    await new Promise((resolve) => setTimeout(resolve, 1300))
    expect(await left(db)).toBe(3)
  })
})

describe.runIf(needs("redis-server"))("on a server", () => {
  async function server(): Promise<RealRedis> {
    const redis = await startRedis()
    closing.push(() => redis.stop())
    return redis
  }

  test("another connection takes over when the user of the first may not sweep", async () => {
    const redis = await server()
    const schema = declared("40ms")
    const url = new URL(redis.url)
    const admin = await open(redis.url, { sweep: false }, schema)
    await admin.$driver().send(["ACL", "SETUSER", "reader", "on", ">only-reads", "~*", "+@read", "+@connection"])
    Object.assign(url, { username: "reader", password: "only-reads" })
    await open(url.href, {}, schema)
    const writer = await open(redis.url, {}, schema)
    await writer.session.create(session(1))
    await expect.poll(() => left(writer), { timeout: 20_000 }).toBe(0)
  })

  test("one serves all connections of a keyspace, and another connection takes over when its own closes", async () => {
    const redis = await server()
    const schema = declared("40ms")
    const other = await connect(schema, redis.url)
    const db = await open(redis.url, {}, schema)
    const third = await open(redis.url, {}, schema)
    await Promise.all([other, db, third].map((one, i) => one.session.create(session(i))))
    const scans = async () => {
      const stats = String(await db.$driver().send(["INFO", "commandstats"]))
      return Number(/cmdstat_time:calls=(\d+)/.exec(stats)?.[1] ?? 0)
    }
    await expect.poll(() => left(db), { timeout: 20_000 }).toBe(0)
    const before = await scans()
    await new Promise((resolve) => setTimeout(resolve, 2500))
    // One each second, and not one for each connection.
    expect((await scans()) - before).toBeLessThanOrEqual(3)
    await other.$close()
    await db.session.create(session(7))
    await expect.poll(() => left(db), { timeout: 20_000 }).toBe(0)
  })

  const clients: [string, (port: number) => Promise<Target>][] = [
    [
      "node-redis",
      async (port) => {
        const client = createClient({ socket: { port, host: "127.0.0.1" } })
        await client.connect()
        closing.push(() => client.destroy())
        return { client }
      },
    ],
    [
      "ioredis",
      async (port) => {
        const client = new Redis({ port })
        closing.push(() => client.disconnect())
        return { client }
      },
    ],
  ]
  test.each(isFull ? clients : clients.slice(0, 1))(
    "it runs on an injected client of %s, and ends with $close though the client stays",
    async (_, make) => {
      const redis = await server()
      const db = await connect(declared("40ms"), await make(redis.port))
      const watch = await open(redis.url, { sweep: false })
      await db.session.create(session(1))
      await expect.poll(() => left(watch), { timeout: 20_000 }).toBe(0)
      await db.session.create(session(2))
      await db.$close()
      await new Promise((resolve) => setTimeout(resolve, 1500))
      expect(await left(watch)).toBe(3)
    },
  )

  if (isFull)
    test("it survives a server that does not answer, and comes back when it does", async () => {
      const redis = await server()
      const db = await open(redis.url, { timeoutMs: 1000 })
      await db.session.create(session(1))
      redis.pause()
      await new Promise((resolve) => setTimeout(resolve, 2500))
      redis.resume()
      await expect.poll(() => left(db), { timeout: 20_000 }).toBe(0)
    })

  test("it keeps no process alive", async () => {
    const redis = await server()
    const program = runProgram(
      `
import { connect, entity, json, keyspace } from "keywright"
import { Redis } from "ioredis"
import * as z from "zod"
const client = new Redis(process.argv.at(-1))
const schema = keyspace({ session: entity("session:{id}", json(z.object({ id: z.string() })), { ttl: "10m" }) })
const db = await connect(schema, { client })
await db.session.create({ id: "1" })
client.disconnect()
console.log("done")
`,
      [redis.url],
    )
    await program.printed("done")
    const exited = new Promise<number | null>((resolve) => program.process.once("exit", resolve))
    expect(await exited).toBe(0)
  })
})
