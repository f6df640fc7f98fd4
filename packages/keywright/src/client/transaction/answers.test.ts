/* Promise: inside a transaction a write answers as it would outside, or it is refused
 * before anything is written. Each call is made twice, on two keys that hold the same:
 * directly, and inside a transaction. */

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { bytes } from "../../schema/codec/bytes.ts"
import { float, int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { bitmap, counter, geo, hash, hyperloglog, list, map, set, stream, string, zset } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"
import { onBothServers } from "../servers.cases.ts"

const schema = keyspace(
  {
    text: string("text:{k}", text),
    blob: string("blob:{k}", bytes),
    n: counter("n:{k}"),
    f: counter("f:{k}", { value: float }),
    hash: hash("hash:{k}", { name: text, qty: int, rate: float }),
    map: map("map:{k}", text, int),
    rates: map("rates:{k}", text, float),
    list: list("list:{k}", text),
    capped: list("capped:{k}", text, { keep: 2 }),
    set: set("set:{k}", text),
    z: zset("z:{k}", text, { score: float }),
    best: zset("best:{k}", text, { score: float, keep: 2 }),
    bits: bitmap("bits:{k}"),
    geo: geo("geo:{k}", text),
    events: stream("events:{k}", { kind: text }),
    seen: hyperloglog("seen:{k}", text),
  },
  { ttl: "never" },
)
type Db = ClientOf<typeof schema>
type T = Parameters<Parameters<Db["$transaction"]>[0]>[0]

const k = { k: "x" }
const rome = { longitude: 12.5, latitude: 41.9 }

/** What is stored first, and what is called: a call returns all of its answers. */
const cases: readonly [title: string, before: readonly string[][], call: (db: T) => Promise<unknown>][] = [
  ["string.setIfAbsent", [], async (db) => [await db.text(k).setIfAbsent("a"), await db.text(k).setIfAbsent("b")]],
  ["string.setIfPresent", [["SET", "text:x", "old"]], (db) => db.text(k).setIfPresent("new")],
  ["string.setIfPresent of nothing", [], (db) => db.text(k).setIfPresent("new")],
  ["string.getAndSet", [["SET", "text:x", "old"]], (db) => db.text(k).getAndSet("new")],
  ["string.take", [["SET", "text:x", "old"]], async (db) => [await db.text(k).take(), await db.text(k).take()]],
  ["string.take of bytes", [["SET", "blob:x", "old"]], (db) => db.blob(k).take()],
  ["string.delete", [["SET", "text:x", "old"]], async (db) => [await db.text(k).delete(), await db.text(k).delete()]],
  ["string.expire", [["SET", "text:x", "old"]], (db) => db.text(k).expire("1h")],
  ["string.expire of nothing", [], (db) => db.text(k).expire("1h")],
  ["counter.increment", [["SET", "n:x", "41"]], async (db) => [await db.n(k).increment(20), await db.n(k).increment()]],
  ["counter.decrement of nothing", [], (db) => db.n(k).decrement(3)],
  ["counter.reset", [["SET", "n:x", "41"]], async (db) => [await db.n(k).reset(), await db.n(k).increment(2)]],
  ["counter.increment of floats", [["SET", "f:x", "1.5"]], (db) => db.f(k).increment(0.25)],
  ["hash.setIfAbsent", [["HSET", "hash:x", "name", "a"]], (db) => db.hash(k).setIfAbsent("name", "b")],
  ["hash.setIfAbsent of nothing", [], (db) => db.hash(k).setIfAbsent("name", "b")],
  ["hash.deleteField", [["HSET", "hash:x", "name", "a", "qty", "1"]], (db) => db.hash(k).deleteField("name", "rate")],
  ["hash.increment", [["HSET", "hash:x", "qty", "7"]], (db) => db.hash(k).increment("qty", 3)],
  ["hash.increment of floats", [["HSET", "hash:x", "rate", "0.5"]], (db) => db.hash(k).increment("rate", 0.25)],
  [
    "map.set, setMany and remove",
    [["HSET", "map:x", "a", "1"]],
    async (db) => [
      await db.map(k).set("a", 2),
      await db.map(k).set("b", 3),
      await db.map(k).setMany([
        ["b", 1],
        ["c", 1],
      ]),
      await db.map(k).remove("a", "b", "none"),
      await db.map(k).setIfAbsent("a", 9),
      await db.map(k).setIfAbsent("a", 10),
    ],
  ],
  [
    "map.increment",
    [["HSET", "map:x", "a", "1"]],
    async (db) => [await db.map(k).increment("a", 4), await db.map(k).increment("z")],
  ],
  ["map.increment of floats", [], (db) => db.rates(k).increment("a", 0.5)],
  [
    "list.push",
    [["RPUSH", "list:x", "a"]],
    async (db) => [await db.list(k).pushLeft("b", "c"), await db.list(k).pushRight("d")],
  ],
  [
    "list.push, capped",
    [["RPUSH", "capped:x", "a"]],
    async (db) => [await db.capped(k).pushLeft("b"), await db.capped(k).pushLeft("c")],
  ],
  ["list.popLeft", [["RPUSH", "list:x", "a", "b"]], (db) => db.list(k).popLeft()],
  ["list.popRight of nothing", [], (db) => db.list(k).popRight()],
  ["list.popRightMany", [["RPUSH", "list:x", "a", "b", "c"]], (db) => db.list(k).popRightMany(2)],
  ["list.popLeftMany", [["RPUSH", "list:x", "a", "b", "c"]], (db) => db.list(k).popLeftMany(9)],
  ["list.remove", [["RPUSH", "list:x", "a", "b", "a", "a"]], (db) => db.list(k).remove("a", -2)],
  ["list.remove of all", [["RPUSH", "list:x", "a", "b", "a"]], (db) => db.list(k).remove("a")],
  [
    "set.add and remove",
    [["SADD", "set:x", "a"]],
    async (db) => [await db.set(k).add("a", "b", "b"), await db.set(k).remove("a", "c"), await db.set(k).add("a")],
  ],
  [
    "set.delete after add",
    [],
    async (db) => [await db.set(k).add("a"), await db.set(k).delete(), await db.set(k).add("b")],
  ],
  ["set.pop of one", [["SADD", "set:x", "only"]], (db) => db.set(k).pop()],
  ["set.pop of none", [], (db) => db.set(k).pop()],
  ["set.popMany", [["SADD", "set:x", "only"]], (db) => db.set(k).popMany(3)],
  [
    "zset.add with conditions",
    [["ZADD", "z:x", "5", "a", "5", "b"]],
    async (db) => [
      await db.z(k).add("a", 4, { only: "higher" }),
      await db.z(k).add("a", 6, { only: "higher" }),
      await db.z(k).add("a", 6, { only: "lower" }),
      await db.z(k).add("b", 9, { only: "absent" }),
      await db.z(k).add("c", 9, { only: "present" }),
      await db.z(k).add("c", 9),
      await db.z(k).addMany([
        ["c", 1],
        ["d", 2],
      ]),
    ],
  ],
  ["zset.add, capped", [["ZADD", "best:x", "1", "a", "2", "b"]], (db) => db.best(k).add("c", 3)],
  [
    "zset.increment",
    [["ZADD", "z:x", "1.5", "a"]],
    async (db) => [await db.z(k).increment("a", 2), await db.z(k).increment("b")],
  ],
  ["zset.remove", [["ZADD", "z:x", "1", "a"]], (db) => db.z(k).remove("a", "b")],
  [
    "zset.removeBetween",
    [["ZADD", "z:x", "1", "a", "2", "b", "3", "c"]],
    (db) => db.z(k).removeBetween({ above: 1 }, "+inf"),
  ],
  ["zset.removeRange", [["ZADD", "z:x", "1", "a", "2", "b", "3", "c"]], (db) => db.z(k).removeRange(-2, 9)],
  ["zset.popMin", [["ZADD", "z:x", "2", "b", "1", "a"]], (db) => db.z(k).popMin()],
  ["zset.popMax of nothing", [], (db) => db.z(k).popMax()],
  ["zset.popMaxMany", [["ZADD", "z:x", "1", "a", "1", "b", "2", "c"]], (db) => db.z(k).popMaxMany(2)],
  [
    "bitmap.set",
    [["SETBIT", "bits:x", "3", "1"]],
    async (db) => [await db.bits(k).set(3, false), await db.bits(k).set(3, true), await db.bits(k).set(4, true)],
  ],
  [
    "geo.add",
    [],
    async (db) => [
      await db.geo(k).add("rome", rome),
      await db.geo(k).add("rome", rome),
      await db.geo(k).remove("rome"),
    ],
  ],
  [
    "stream.trim",
    [
      ["XADD", "events:x", "1-1", "kind", "a"],
      ["XADD", "events:x", "1-2", "kind", "b"],
    ],
    (db) => db.events(k).trim(1),
  ],
  ["stream.remove", [["XADD", "events:x", "1-1", "kind", "a"]], (db) => db.events(k).remove("1-1", "9-9")],
]

/** Calls that no transaction can answer: not there for the compiler, refused when they are called all the same. */
const refusals: readonly [title: string, call: (db: never) => Promise<unknown>][] = [
  ["string.cached", (db: Db) => db.text({ k: "none" }).cached(() => "x")],
  ["string.invalidate", (db: Db) => db.text(k).invalidate()],
  ["string.persist", (db: Db) => db.text(k).persist()],
  ["string.memory", (db: Db) => db.text(k).memory()],
  ["list.takeLeft", (db: Db) => db.list(k).takeLeft({ waitMs: 10 })],
  ["list.move", (db: Db) => db.list(k).move(db.capped(k), { from: "left", to: "left" })],
  ["set.move", (db: Db) => db.set(k).move("a", db.set({ k: "y" }))],
  ["set.scan", (db: Db) => firstOf(db.set(k).scan())],
  ["map.entries", (db: Db) => firstOf(db.map(k).entries())],
  ["zset.scan", (db: Db) => firstOf(db.z(k).scan())],
  ["scan of a pattern", (db: Db) => firstOf(db.z.scan())],
  ["stream.append", (db: Db) => db.events(k).append({ kind: "x" })],
  ["stream.readGroup", (db: Db) => db.events(k).readGroup("g", "c")],
  ["stream.ack", (db: Db) => db.events(k).ack("g", "1-1")],
  ["stream.createGroup", (db: Db) => db.events(k).createGroup("g")],
  ["bitmap.setMany", (db: Db) => db.bits(k).setMany([1, 2], true)],
  ["hyperloglog.add", (db: Db) => db.seen(k).add("x")],
  ["an operation id of a single write", (db: Db) => db.n(k).increment(1, { operationId: "inner" })],
]
const firstOf = async (items: AsyncIterable<unknown>): Promise<unknown> => {
  for await (const item of items) return item
  return undefined
}

onBothServers("what writes answer inside a transaction", (server) => {
  let db: Db
  beforeAll(async () => {
    db = await connect(schema, server().target)
  })
  afterAll(() => db?.$close())
  const content = async () => {
    const kept = [await server().keys()] as unknown[]
    for (const key of kept[0] as string[]) kept.push(await server().raw("TYPE", key), await contentOf(key))
    return kept
  }
  const contentOf = async (key: string) => {
    const raw = (...command: string[]) => server().raw(...command)
    const type = await raw("TYPE", key)
    if (type === "string") return raw("GET", key)
    if (type === "hash") return raw("HGETALL", key)
    if (type === "list") return raw("LRANGE", key, "0", "-1")
    if (type === "set") return ((await raw("SMEMBERS", key)) as string[]).sort()
    if (type === "zset") return raw("ZRANGE", key, "0", "-1", "WITHSCORES")
    return raw("XRANGE", key, "-", "+")
  }

  describe("the same as outside, and the same is written", () => {
    test.each(cases)("%s", async (_, before, call) => {
      for (const command of before) await server().raw(...command)
      const answer = await call(db as unknown as T)
      const written = await content()
      await server().raw("FLUSHALL")
      for (const command of before) await server().raw(...command)
      expect(await db.$transaction((t) => call(t))).toEqual(answer)
      expect(await content()).toEqual(written)
    })
  })

  describe("decided again when what the answer depends on was changed meanwhile", () => {
    // Where nothing is written, what was read at one moment is the answer, whatever came after.
    const changing = cases.filter(([title, before]) => before.length > 0 && title !== "hash.setIfAbsent")
    test.each(changing)("%s", async (_, before, call) => {
      for (const command of before) await server().raw(...command)
      const [, key] = before[0]!
      let tries = 0
      const answer = await db.$transaction(async (t) => {
        tries++
        const given = await call(t)
        // The first time, somebody empties the key before it commits.
        if (tries === 1) await server().raw("DEL", key!)
        return given
      })
      const written = await content()
      await server().raw("FLUSHALL")
      expect(await call(db as unknown as T)).toEqual(answer)
      expect(await content()).toEqual(written)
    })
  })

  describe("refused, and nothing is written", () => {
    test.each(refusals)("%s", async (_, call) => {
      await server().raw("SET", "text:x", "a")
      await server().raw("SADD", "set:x", "a")
      const before = await content()
      const work = db.$transaction(async (t) => {
        await t.map({ k: "y" }).set("written", 1)
        return call(t as never)
      })
      await expect(work).rejects.toMatchObject({ code: expect.stringMatching(/^(TRANSACTION|BATCH|CALL)\./) })
      expect(await content()).toEqual(before)
    })
  })

  test("blind writes answer nothing, are not compared, and are carried out whatever is there", async () => {
    await server().raw("SET", "n:x", "1")
    let tries = 0
    const answers = await db.$transaction(async (t) => {
      tries++
      const given = [
        await t.$blind.n(k).increment(5),
        await t.$blind.list(k).pushRight("a"),
        await t.$blind.text(k).delete(),
        await t.$blind.events(k).append({ kind: "x" }),
        await t.$blind.set(k).add("m"),
      ]
      await server().raw("INCR", "n:x")
      await server().raw("SET", "text:x", "late")
      return given
    })
    expect(answers).toEqual([undefined, undefined, undefined, undefined, undefined])
    expect([tries, await server().raw("GET", "n:x"), await server().raw("EXISTS", "text:x")]).toEqual([1, "7", 0])
    expect(await server().raw("XLEN", "events:x")).toBe(1)
    const reading = db.$transaction((t) => (t.$blind as unknown as Db).n(k).get())
    await expect(reading).rejects.toMatchObject({ code: "TRANSACTION.BLIND" })
  })

  test("an answer that depends on a blind write is refused", async () => {
    const work = db.$transaction(async (t) => {
      await t.$blind.n(k).increment(5)
      return t.n(k).increment(1)
    })
    await expect(work).rejects.toMatchObject({ code: "TRANSACTION.READ_AFTER_WRITE" })
    expect(await server().keys()).toEqual([])
  })

  test("calls that are not awaited are part of it, in their order", async () => {
    await db.$transaction(async (t) => {
      void t.list(k).pushRight("a")
      void t.list(k).pushRight("b")
      void t.set(k).add("m")
      void t.set(k).remove("m")
    })
    expect(await server().raw("LRANGE", "list:x", "0", "-1")).toEqual(["a", "b"])
    expect(await server().keys()).toEqual(["list:x"])
  })

  test("a call after the end is refused", async () => {
    let late: T | undefined
    await db.$transaction(async (t) => {
      late = t
      await t.n(k).set(1)
    })
    await expect(late!.n(k).increment()).rejects.toMatchObject({ code: "TRANSACTION.OVER" })
    await expect(late!.n(k).get()).rejects.toMatchObject({ code: "TRANSACTION.OVER" })
    expect(await server().raw("GET", "n:x")).toBe("1")
  })
})
