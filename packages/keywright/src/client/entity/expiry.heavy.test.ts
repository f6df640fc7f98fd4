/* Thousands of records that expire while they are read, with sweepers that are killed
 * and a subscriber to the server's own notifications that is cut off: nothing expired
 * is ever returned, and five seconds after the last one nothing is left. */

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as z from "zod"
import { runProgram } from "../../../../../test/child-program.ts"
import { isFull } from "../../../../../test/full.ts"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { json } from "../../schema/codec/json.ts"
import { entity } from "../../schema/entity.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { expectClean } from "../../testing/index.ts"
import { connect } from "../connect.ts"

const RECORDS = isFull ? 20_000 : 3000
const TTL_MS = isFull ? 6000 : 2500

const login = keyspace({
  session: entity("session:{id}", json(z.object({ id: z.string(), user: z.string(), device: z.string() })), {
    all: "session:list",
    ttl: `${TTL_MS}ms`,
    unique: { device: "session:device:{device}" },
    index: { user: "session:user:{user}" },
  }),
})

const sweeperProgram = `
import { connect, entity, json, keyspace } from "keywright"
import * as z from "zod"
const [url, ttl] = process.argv.slice(-2)
const login = keyspace({
  session: entity("session:{id}", json(z.object({ id: z.string(), user: z.string(), device: z.string() })), {
    all: "session:list", ttl, unique: { device: "session:device:{device}" }, index: { user: "session:user:{user}" },
  }),
})
const db = await connect(login, url)
db.$sweeper({ every: "300ms" }).start()
console.log("ready")
setInterval(() => {}, 1000)
`

describe.runIf(needs("redis-server"))("records that expire under load", () => {
  let server: RealRedis
  beforeAll(async () => {
    server = await startRedis({ args: ["--notify-keyspace-events", "Ex"] })
  })
  afterAll(() => server?.stop())

  test(`${RECORDS} of them: none is returned after its end, nothing is left after five seconds`, async () => {
    const db = await connect(login, server.url, { timeoutMs: 20_000, sweep: false })
    const driver = db.$driver()
    const raw = (...command: string[]) => driver.send(command)
    const sweepers = [0, 1].map(() => runProgram(sweeperProgram, [server.url, `${TTL_MS}ms`]))
    await Promise.all(sweepers.map((sweeper) => sweeper.printed("ready")))
    const subscription = await driver.subscribe({ patterns: ["__keyevent@0__:expired"], onMessage: () => undefined })

    const ids = Array.from({ length: RECORDS }, (_, i) => `s${i}`)
    const started = Date.now()
    const pace = Math.max(1, Math.floor(RECORDS / 40))
    const ends = new Map<string, number>()
    for (let at = 0; at < ids.length; at += pace) {
      const page = ids.slice(at, at + pace)
      await Promise.all(page.map((id, i) => db.session.create({ id, user: `u${i % 50}`, device: `d${id}` })))
      const deadlines = await driver.batch(page.map((id) => ["PEXPIRETIME", `session:${id}`]))
      page.forEach((id, i) => ends.set(id, Number(deadlines[i])))
    }
    const last = Math.max(...ends.values())
    const now = async () => {
      const [seconds, micros] = (await raw("TIME")) as [string, string]
      return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
    }

    let [late, reads] = [0, 0]
    const kills = [0.3, 0.6].map((part) => started + (last - started) * part)
    while ((await now()) < last + 200) {
      const before = await now()
      const found = await db.session.list("user", { user: `u${reads % 50}` })
      const one = await db.session.find("device", { device: `d${ids[reads % ids.length]}` })
      for (const session of one ? [...found, one] : found) if (ends.get(session.id)! < before) late++
      reads++
      if (kills.length > 0 && Date.now() > kills[0]!) {
        kills.shift()
        sweepers.shift()!.process.kill("SIGKILL")
        await raw("CLIENT", "KILL", "TYPE", "pubsub")
        sweepers.push(runProgram(sweeperProgram, [server.url, `${TTL_MS}ms`]))
      }
    }
    expect(reads).toBeGreaterThan(10)
    expect(late).toBe(0)

    await expect.poll(() => raw("DBSIZE"), { timeout: Math.max(1, last + 5000 - Date.now()), interval: 50 }).toBe(0)
    await expectClean(db)
    await subscription.close()
    for (const sweeper of sweepers) sweeper.process.kill("SIGKILL")
    await db.$close()
  })
})
