/* A call that is refused changes nothing: not the deadline of a key either, which another program may use for something
 * else. MULTI would carry out the PEXPIRE after a refused write. */

import { afterAll, beforeAll, expect, test } from "vitest"
import { text } from "../../schema/codec/text.ts"
import { bitmap, counter, geo, hash, hyperloglog, list, map, set, stream, zset } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { either, sliding, upTo } from "../../schema/ttl.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"
import { onBothServers } from "../servers.cases.ts"

const schema = keyspace({
  list: list("list", text, { keep: 4, ttl: "1h" }),
  set: set("set", text, { ttl: upTo("1h") }),
  map: map("map", text, text, { ttl: sliding("1h") }),
  zset: zset("zset", text, { ttl: either("1h", "never") }),
  hash: hash("hash", { a: text }, { ttl: "1h" }),
  stream: stream("stream", { a: text }, { ttl: sliding("1h") }),
  counter: counter("counter", { ttl: sliding("1h") }),
  bitmap: bitmap("bitmap", { ttl: "1h" }),
  geo: geo("geo", text, { ttl: "1h" }),
  session: hash("session:{id}", { a: text }, { ttl: sliding("1h") }),
  hyperloglog: hyperloglog("hyperloglog", text, { ttl: sliding("1h") }),
})
type Db = ClientOf<typeof schema>
type Calls = Omit<Pick<Db, keyof typeof schema.entries>, "session">

const calls: Readonly<Record<keyof Calls, readonly ((db: Calls) => Promise<unknown>)[]>> = {
  list: [(db) => db.list().pushRight("a")],
  set: [(db) => db.set().add("a"), (db) => db.set().addMany(["a"], { ttl: "5m" })],
  map: [(db) => db.map().set("a", "b"), (db) => db.map().get("a"), (db) => db.map().all()],
  zset: [(db) => db.zset().add("a", 1, { ttl: "1h" }), (db) => db.zset().add("a", 1, { ttl: "never" })],
  hash: [(db) => db.hash().set({ a: "x" })],
  stream: [(db) => db.stream().append({ a: "x" })],
  counter: [(db) => db.counter().increment()],
  bitmap: [(db) => db.bitmap().set(1, true)],
  geo: [(db) => db.geo().add("a", { longitude: 1, latitude: 1 })],
  hyperloglog: [(db) => db.hyperloglog().add("a")],
}

onBothServers("a call that is refused", (server) => {
  let db: Db
  const raw = (...command: string[]) => server().raw(...command)
  beforeAll(async () => void (db = await connect(schema, server().target)))
  afterAll(() => db?.$close())

  const deadline = async (key: string) => Number(await raw("PEXPIRETIME", key))

  for (const [kind, works] of Object.entries(calls))
    test(`leaves the deadline of a key of another type as it was: ${kind}`, async () => {
      for (const work of works)
        for (const send of [() => work(db), () => db.$multi((all) => [work(all as never)])])
          for (const lives of ["", "90000000"]) {
            await raw("DEL", kind)
            // A counter refuses a text that is no number; all others a list, or a text.
            if (kind === "bitmap" || kind === "hyperloglog") await raw("RPUSH", kind, "precious")
            else await raw("SET", kind, "precious")
            if (lives !== "") await raw("PEXPIRE", kind, lives)
            const before = await deadline(kind)
            await expect(send()).rejects.toMatchObject({ code: expect.stringMatching(/^SERVER\.(WRONGTYPE|ERR)$/) })
            expect(Math.abs((await deadline(kind)) - before)).toBeLessThan(60_000)
          }
    })

  test("leaves it as it was where many are read at once", async () => {
    await raw("SET", "session:1", "precious")
    await raw("HSET", "session:2", "a", "x")
    await raw("PEXPIRE", "session:2", "1000")
    const read = () => db.$getMany([db.session({ id: "1" }), db.session({ id: "2" })])
    await expect(read()).rejects.toMatchObject({ code: "SERVER.WRONGTYPE" })
    expect(await raw("PTTL", "session:1")).toBe(-1)
    expect(Number(await raw("PTTL", "session:2"))).toBeGreaterThan(3_000_000)
    await raw("PEXPIRE", "session:1", "90000000")
    await expect(read()).rejects.toMatchObject({ code: "SERVER.WRONGTYPE" })
    expect(Number(await raw("PTTL", "session:1"))).toBeGreaterThan(80_000_000)
  })

  test("and one that is not refused gives it the deadline that is declared", async () => {
    await db.list().pushRight("a")
    await db.map().set("a", "b")
    for (const key of ["list", "map"]) expect(Number(await raw("PTTL", key))).toBeGreaterThan(3_000_000)
    await raw("PEXPIRE", "map", "60000")
    expect(await db.map().get("a")).toBe("b")
    expect(Number(await raw("PTTL", "map"))).toBeGreaterThan(3_000_000)
  })
})
