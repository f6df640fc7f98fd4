/* Promise: a call that is repeated with the same operation id changes nothing more, and is
 * answered as the first one was, whatever others have done since. A call that failed has
 * done nothing, and its repetition is a first time. */

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as z from "zod"
import { isKeywrightError } from "../../errors/error.ts"
import { json } from "../../schema/codec/json.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { bitmap, counter, hash, list, map, set, stream, string, zset } from "../../schema/define.ts"
import { entity } from "../../schema/entity.ts"
import { keyspace } from "../../schema/keyspace.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"
import { onBothServers } from "../servers.cases.ts"

const Dish = z.object({
  id: z.string(),
  note: z.string().optional(),
  name: z.string().optional(),
  stock: z.number().optional(),
})
const schema = keyspace(
  {
    dish: entity("dish:{id}", json(Dish), {
      counter: "dish:counter",
      all: "dish:all",
      unique: { name: "dish:name:{name}" },
    }),
    line: entity(
      "line:{id}",
      { id: text, dish: text, qty: int },
      { all: "line:all", index: { dish: "line:dish:{dish}" } },
    ),
    text: string("text", text),
    n: counter("n"),
    hash: hash("hash", { name: text, qty: int }),
    map: map("map", text, int),
    list: list("list", text),
    set: set("set", text),
    z: zset("z", text),
    bits: bitmap("bits"),
    events: stream("events", { kind: text }),
  },
  { ttl: "never" },
)
type Db = ClientOf<typeof schema>
const once = { operationId: "op-1" }

/** A call, and what others do before it is repeated. */
const cases: readonly [title: string, call: (db: Db) => Promise<unknown>, others: (db: Db) => Promise<unknown>][] = [
  [
    "create, and somebody changes it",
    (db) => db.dish.create({ name: "Pho" }, once),
    (db) => db.dish.update("2", { name: "Bun" }),
  ],
  ["create, and somebody deletes it", (db) => db.dish.create({ name: "Pho" }, once), (db) => db.dish.delete("2")],
  ["create with an id", (db) => db.line.create({ id: "9", dish: "1", qty: 1 }, once), (db) => db.line.delete("9")],
  [
    "update, and somebody changes it",
    (db) => db.dish.update("1", { stock: 4 }, once),
    (db) => db.dish.update("1", { stock: 9 }),
  ],
  ["update, and somebody deletes it", (db) => db.dish.update("1", { stock: 4 }, once), (db) => db.dish.delete("1")],
  ["update that decides", (db) => db.dish.update("1", takeTheLast, once), (db) => db.dish.update("1", { name: "x" })],
  ["update of a hash", (db) => db.line.update("1", { qty: 4 }, once), (db) => db.line.delete("1")],
  ["replace", (db) => db.line.replace("1", { dish: "7", qty: 2 }, once), (db) => db.line.update("1", { qty: 9 })],
  ["increment", (db) => db.dish.increment("1", "stock", 5, once), (db) => db.dish.update("1", { stock: 0 })],
  [
    "delete, and somebody creates it again",
    (db) => db.dish.delete("1", once),
    (db) => db.dish.create({ id: "1", stock: 7 }),
  ],
  ["delete", (db) => db.line.delete("1", once), async () => undefined],
  [
    "upsert that created",
    (db) => db.dish.upsert({ id: "5", stock: 1 }, once),
    (db) => db.dish.update("5", { stock: 8 }),
  ],
  ["upsert that updated", (db) => db.dish.upsert({ id: "1", stock: 2 }, once), (db) => db.dish.delete("1")],
  [
    "upsert of a hash",
    (db) => db.line.upsert({ id: "6", dish: "1", qty: 1 }, once),
    (db) => db.line.update("6", { qty: 8 }),
  ],
  ["transaction", (db) => db.$transaction(buy, once), (db) => db.dish.update("1", { stock: 50 })],
  ["transaction that used the last", (db) => db.$transaction(buy, once), async () => undefined],
  ["transaction that only read", (db) => db.$transaction((t) => t.n().get(), once), (db) => db.n().increment()],
  ["string.setIfAbsent", (db) => db.text().setIfAbsent("a", once), (db) => db.text().delete()],
  ["string.getAndSet", (db) => db.text().getAndSet("a", once), (db) => db.text().set("b")],
  ["string.take", (db) => db.text().take(once), (db) => db.text().set("b")],
  ["counter.increment", (db) => db.n().increment(5, once), (db) => db.n().increment()],
  ["counter.reset", (db) => db.n().reset(once), (db) => db.n().increment()],
  ["hash.increment", (db) => db.hash().increment("qty", 2, once), (db) => db.hash().increment("qty")],
  ["map.increment", (db) => db.map().increment("a", 2, once), (db) => db.map().increment("a")],
  ["map.setIfAbsent", (db) => db.map().setIfAbsent("a", 2, once), (db) => db.map().remove("a")],
  ["map.removeMany", (db) => db.map().removeMany(["k"], once), (db) => db.map().set("k", 2)],
  ["list.push", (db) => db.list().pushRightMany(["x"], once), (db) => db.list().popLeft()],
  ["list.pop", (db) => db.list().popLeft(once), (db) => db.list().pushLeft("z")],
  ["list.remove", (db) => db.list().remove("a", 0, once), (db) => db.list().pushLeft("a")],
  ["set.add", (db) => db.set().addMany(["m"], once), (db) => db.set().remove("m")],
  ["set.pop", (db) => db.set().pop(once), (db) => db.set().add("another")],
  ["zset.increment", (db) => db.z().increment("a", 2, once), (db) => db.z().increment("a")],
  ["zset.popMin", (db) => db.z().popMin(once), (db) => db.z().add("low", -5)],
  ["bitmap.set", (db) => db.bits().set(3, true, once), (db) => db.bits().set(3, false)],
  ["stream.append", (db) => db.events().append({ kind: "x" }, once), (db) => db.events().trim(0)],
]

function takeTheLast({ stock = 0 }: { stock?: number | undefined }) {
  if (stock < 1) throw new Error("sold out")
  return { stock: stock - 1 }
}

async function buy(t: Parameters<Parameters<Db["$transaction"]>[0]>[0]) {
  const dish = await t.dish.get("1")
  if (!dish || (dish.stock ?? 0) < 1) throw new Error("sold out")
  const left = await t.dish.update(dish, { stock: dish.stock! - 1 })
  const line = await t.line.create({ id: "bought", dish: "1", qty: 1 })
  return { stock: left.stock, line, at: new Date(5), none: undefined, ids: new Set([1n]) }
}

onBothServers("repetitions with an operation id", (server) => {
  let db: Db
  beforeAll(async () => {
    db = await connect(schema, server().target)
  })
  afterAll(() => db?.$close())
  const prepare = async () => {
    await db.dish.create({ name: "Soup", stock: 1 })
    await db.line.create({ id: "1", dish: "1", qty: 1 })
    await db.text().set("first")
    await db.n().set(41)
    await db.map().set("k", 1)
    await db.list().pushRight("a", "b")
    await db.set().add("only")
    await db.z().add("a", 1)
  }
  /** Everything but what is remembered of operations. */
  const content = async () => {
    const kept: unknown[] = []
    for (const key of (await server().keys()).filter((each) => !each.startsWith("keywright:op:")))
      kept.push(key, await server().raw("DUMP", key))
    return kept
  }

  describe("nothing more is changed, and the answer is that of the first call", () => {
    test.each(cases)("%s", async (_, call, others) => {
      await prepare()
      const first = await call(db)
      await others(db)
      const before = await content()
      expect(await call(db)).toEqual(first)
      expect(await call(db)).toEqual(first)
      expect(await content()).toEqual(before)
    })
  })

  test("the work of a transaction is not run again", async () => {
    let runs = 0
    const work = () => db.$transaction(async (t) => (runs++, (await t.n().increment()) as number), once)
    expect([await work(), await work(), runs]).toEqual([1, 1, 1])
  })

  test("two at once are carried out once, and both are answered alike", async () => {
    await prepare()
    const both = await Promise.all([db.$transaction(buy, once), db.$transaction(buy, once)])
    expect(both[0]).toEqual(both[1])
    expect(await db.dish.get("1")).toMatchObject({ stock: 0 })
    const updates = await Promise.all([1, 2, 3].map(() => db.dish.increment("1", "stock", 5, { operationId: "op-2" })))
    expect(updates).toEqual([5, 5, 5])
  })

  test("what failed is not remembered", async () => {
    await prepare()
    await db.dish.update("1", { stock: 0 })
    await expect(db.$transaction(buy, once)).rejects.toThrow("sold out")
    await expect(db.dish.update("1", takeTheLast, once)).rejects.toThrow("sold out")
    await expect(db.dish.update("77", { stock: 1 }, once)).rejects.toMatchObject({ code: "ENTITY.NOT_FOUND" })
    await db.dish.update("1", { stock: 3 })
    expect(await db.$transaction(buy, once)).toMatchObject({ stock: 2 })
    expect(await db.dish.update("1", takeTheLast, once)).toMatchObject({ stock: 1 })
  })

  test("what was taken is returned again, however large", async () => {
    const large = "x".repeat(20_000)
    await db.text().set(large)
    expect([await db.text().take(once), await db.text().take(once)]).toEqual([large, large])
  })

  test("an answer of more than 16 kB, or one that is not data, is not kept: the repetition says that it was done", async () => {
    const large = "x".repeat(20_000)
    const create = () => db.dish.create({ note: large }, once)
    expect((await create()).id).toBe("1")
    await expect(create()).rejects.toMatchObject({ name: "Conflict", code: "OPERATION.ALREADY_DONE" })
    const odd = () => db.$transaction(async (t) => (await t.n().increment(), new Error("odd")), once)
    expect(await odd()).toBeInstanceOf(Error)
    await expect(odd()).rejects.toMatchObject({ code: "OPERATION.ALREADY_DONE" })
    expect([await db.dish.count(), await db.n().get()]).toEqual([1, 1])
  })

  const operations = async () => (await server().keys()).filter((key) => key.startsWith("keywright:op:"))

  test("is remembered for as long as the call or the connection says", async () => {
    const leftOf = async () => {
      const key = (await server().keys()).find((each) => each.startsWith("keywright:op:"))
      const left = Number(await server().raw("PTTL", key!))
      await server().raw("FLUSHALL")
      return Math.round(left / 1000)
    }
    await db.n().increment(1, once)
    expect(await leftOf()).toBe(60)
    await db.n().increment(1, { ...once, rememberFor: "1h" })
    expect(await leftOf()).toBe(3600)
    await db.dish.create({ name: "a" }, { ...once, rememberFor: "10m" })
    expect(await leftOf()).toBe(600)
    await db.$transaction((t) => t.n().increment(), { ...once, rememberFor: "5m" })
    expect(await leftOf()).toBe(300)
    const patient = await connect(schema, server().target, { rememberFor: "1d" })
    await patient.dish.create({ name: "a" }, once)
    expect(await leftOf()).toBe(86_400)
    await patient.$batch((batch) => [batch.n().increment(1, once)])
    expect(await leftOf()).toBe(86_400)
    await patient.$close()
  })

  test("a repetition that asks for a shorter time does not shorten it", async () => {
    await db.dish.create({ name: "Pho" }, { ...once, rememberFor: "1h" })
    await db.dish.create({ name: "Pho" }, once)
    const [key] = await operations()
    expect(Number(await server().raw("PTTL", key!))).toBeGreaterThan(60_000)
  })

  test("an answer that somebody else noted is read, or refused with a code", async () => {
    await prepare()
    const calls = [
      () => db.dish.update("1", { stock: 10 }, once),
      () => db.line.update("1", { qty: 2 }, once),
      () => db.$transaction((t) => t.n().increment(), once),
    ]
    const answers = ["{", "x", "7", "[1]", "{}", '{"~":["bigint","x"]}', '{"~":["Map",7]}', '{"~":["Set",null]}']
    for (const call of calls) {
      await server().raw("DEL", ...(await operations()), "-")
      await call()
      const [key] = await operations()
      const note = String(await server().raw("GET", key!))
      const [head] = /^(?:[^\n]*\n){3}/.exec(note)!
      for (const answer of [...answers, `${"[".repeat(99_999)}1`, '{"~":["bytes",7]}']) {
        await server().raw("SET", key!, head + answer)
        const error: unknown = await call().then(
          () => undefined,
          (refusal: unknown) => refusal,
        )
        expect([answer.slice(0, 20), error === undefined || isKeywrightError(error) || error]).toEqual([
          answer.slice(0, 20),
          true,
        ])
      }
    }
  })

  test("one id serves several calls: what is done, and to what, tells them apart", async () => {
    await prepare()
    await db.dish.update("1", { stock: 10 }, once)
    expect(await db.dish.increment("1", "stock", 5, once)).toBe(15)
    await db.line.update("1", { qty: 2 }, once)
    expect(await db.n().increment(1, once)).toBe(42)
    await db.dish.delete("1", once)
    expect(await db.dish.get("1")).toBeUndefined()
  })

  test("one id serves several calls on one key: how they act, and on which members, tells them apart", async () => {
    await db.n().set(10)
    expect([await db.n().increment(5, once), await db.n().decrement(2, once)]).toEqual([15, 13])
    expect([await db.n().increment(7, once), await db.n().decrement(7, once)]).toEqual([15, 13])
    expect(await db.text().setIfAbsent("a", once)).toBe(true)
    expect(await db.text().getAndSet("b", once)).toBe("a")
    expect(await db.text().setIfPresent("c", once)).toBe(true)
    expect([await db.text().getAndSet("d", once), await db.text().get()]).toEqual(["a", "c"])
    expect([await db.map().increment("f", 1, once), await db.map().increment("g", 2, once)]).toEqual([1, 2])
    expect([await db.set().add("x"), await db.set().addMany(["y"], once)]).toEqual([1, 1])
    expect([await db.set().addMany(["z"], once), await db.set().removeMany(["x"], once)]).toEqual([1, 1])
    await db.list().pushRightMany(["1", "2", "3"], once)
    expect([await db.list().popLeft(once), await db.list().popLeftMany(2, once)]).toEqual(["1", ["2", "3"]])
    expect([await db.list().popLeft(once), await db.list().length()]).toEqual(["1", 0])
    expect([await db.map().increment("f", -1, once), await db.map().increment("f", 1, once)]).toEqual([0, 1])
    for (const score of [1, 2, 10]) await db.z().add(`m${score}`, score)
    expect([await db.z().increment("m10", 5, once), await db.z().increment("m10", -5, once)]).toEqual([15, 10])
    expect([await db.z().removeBetween(1, 1, once), await db.z().removeBetween(2, 2, once)]).toEqual([1, 1])
  })
})
