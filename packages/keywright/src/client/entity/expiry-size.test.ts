/* What the notes of the sweeper take, beside notes that repeat every key. */

import { afterAll, beforeAll, expect, test } from "vitest"
import * as z from "zod"
import { connect, entity, json, keyspace } from "../../index.ts"

const Session = z.object({ id: z.string(), user: z.string(), device: z.string(), at: z.number() })
const login = keyspace({
  session: entity("session:{id}", json(Session), {
    ttl: "10m",
    all: "session:list",
    unique: { device: "session:device:{device}" },
    index: { user: "session:user:{user}", recent: { patterns: "session:recent:{user}", score: "at" } },
  }),
})
const SESSIONS = 500

let db: Awaited<ReturnType<typeof open>>
const open = () => connect(login, "memory:", { sweep: false })
const raw = (...command: string[]) => db.$driver().send(command)
beforeAll(async () => void (db = await open()))
afterAll(() => db.$close())

test("notes take at most three fifths of what they would with all keys in them", async () => {
  for (let i = 0; i < SESSIONS; i++) {
    const id = crypto.randomUUID()
    const user = `user${i % 40}`
    await db.session.create({ id, user, device: `device${i}`, at: i })
    const keys = [`session:user:${user}`, `session:recent:${user}`, "session:list"]
    await raw("ZADD", "with keys", String(Date.now()), JSON.stringify([id, `session:${id}`, keys]))
  }
  const usage = async (key: string) => Number(await raw("MEMORY", "USAGE", key, "SAMPLES", "0"))
  const [notes, before] = [await usage("keywright:expiry:session:{id}"), await usage("with keys")]
  expect(await raw("ZCARD", "keywright:expiry:session:{id}")).toBe(SESSIONS)
  expect(notes).toBeLessThan(0.6 * before)
})
