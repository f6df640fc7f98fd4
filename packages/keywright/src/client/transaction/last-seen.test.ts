/* Promise: with `lastSeen: true` a transaction saves round trips, and nothing else is
 * different: what it writes, returns and throws is decided on what the server has. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import * as z from "zod"
import { json } from "../../schema/codec/json.ts"
import { text } from "../../schema/codec/text.ts"
import { counter, string } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { record } from "../entity/common.cases.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"
import { onBothServers } from "../servers.cases.ts"
import { LastSeen } from "./last-seen.ts"
import { Plan } from "../plan/plan.ts"

const shop = keyspace(
  {
    cart: record("cart", json(z.object({ id: z.string(), user: z.string() })), { unique: { user: "user" } }),
    line: record("line", json(z.object({ id: z.string(), cartId: z.string(), dish: z.string() })), {
      index: { cart: "cartId" },
    }),
    dish: record("dish", json(z.object({ id: z.string(), stock: z.int() }))),
    note: string("note:{id}", text),
    sold: counter("sold:{id}"),
  },
  { ttl: "never", relations: { line: { cart: { one: "cart", from: "cartId", inverse: "lines" } } } },
)
const LAST_SEEN = { lastSeen: true } as const

onBothServers("a transaction on what was last seen", (server) => {
  let db: ClientOf<typeof shop>
  let sent: string[] = []
  const raw = (...command: string[]) => server().raw(...command)
  beforeAll(async () => {
    db = await connect(shop, server().target, { onSent: ({ as }) => sent.push(as) })
  })
  beforeEach(() => {
    sent = []
  })
  afterAll(() => db?.$close())

  /** Adds a line to the user's cart, which is created with the first. */
  const add = (user: string, dish: string) =>
    db.$transaction(async (t) => {
      const cart = await t.cart.find("user", { user }, { with: { lines: true } })
      const there = await t.dish.get(dish)
      if (there === undefined || there.stock < 1) throw new Error(`no ${dish}`)
      const { id: cartId } = cart ?? (await t.cart.create({ user }))
      const line = await t.line.create({ cartId, dish })
      await t.dish.update(dish, { stock: there.stock - 1 })
      return { line: line.id, before: cart?.lines.map(({ id }) => id) ?? [] }
    }, LAST_SEEN)
  const stockOf = async (id: string) => (await db.dish.get(id))?.stock

  test("a record that was looked for in vain is remembered when it is created, by the first transaction of a client too", async () => {
    const fresh = await connect(shop, server().target, { onSent: ({ as }) => sent.push(as) })
    const open = (user: string) =>
      fresh.$transaction(async (t) => {
        const cart = (await t.cart.find("user", { user })) ?? (await t.cart.create({ user }))
        await t.note({ id: cart.id }).set("open")
        return cart
      }, LAST_SEEN)
    const { id } = await open("first")
    sent = []
    expect(await open("first")).toMatchObject({ id })
    expect(sent).toHaveLength(1)
    await fresh.$close()
  })

  test("when all was seen, the commit is its only round trip", async () => {
    await db.dish.create({ id: "soup", stock: 10 })
    await add("ann", "soup")
    expect(await add("ann", "soup")).toEqual({ line: "2", before: ["1"] })
    sent = []
    expect((await add("ann", "soup")).before.sort()).toEqual(["1", "2"])
    expect((await add("bob", "soup")).before).toEqual([])
    expect((await add("bob", "soup")).before).toEqual(["4"])
    // It was not known whether the second user has a cart.
    expect(sent).toHaveLength(4)
    expect(await stockOf("soup")).toBe(5)
  })

  test("one that deleted the last cart begins the next without looking", async () => {
    await db.dish.create({ id: "soup", stock: 10 })
    await add("ann", "soup")
    await db.$transaction(async (t) => {
      const cart = (await t.cart.find("user", { user: "ann" }, { with: { lines: true } }))!
      await t.line.deleteAll("cart", { cartId: cart.id })
      await t.cart.delete(cart.id)
    }, LAST_SEEN)
    sent = []
    expect(await add("ann", "soup")).toEqual({ line: "2", before: [] })
    expect(sent).toHaveLength(1)
    expect(await raw("GET", "cart:index:user:ann")).toBe("2")
  })

  test.each([
    ["a record", [["SET", "dish:soup", '{"id":"soup","stock":0}']], "no soup"],
    [
      "a record of another type",
      [
        ["DEL", "dish:soup"],
        ["LPUSH", "dish:soup", "x"],
      ],
      /WRONGTYPE/,
    ],
    [
      "a set of another type",
      [
        ["DEL", "line:index:cart:1"],
        ["RPUSH", "line:index:cart:1", "x"],
      ],
      /WRONGTYPE/,
    ],
    ["a unique index", [["SET", "cart:index:user:ann", "77"]], { line: "2", before: [] }],
    [
      "a set",
      [
        ["DEL", "line:index:cart:1"],
        ["SADD", "line:index:cart:1", "99"],
      ],
      { line: "2", before: [] },
    ],
  ] as const)("%s that another program changed is seen", async (_, changes, expected) => {
    await db.dish.create({ id: "soup", stock: 10 })
    await add("ann", "soup")
    for (const change of changes) await raw(...change)
    const second = add("ann", "soup")
    if (typeof expected === "string" || expected instanceof RegExp) await expect(second).rejects.toThrow(expected)
    else expect(await second).toEqual(expected)
  })

  test("what it returns and throws is not what was last seen, also when it writes nothing", async () => {
    const look = () =>
      db.$transaction(async (t) => {
        const note = await t.note({ id: "1" }).get()
        if (note === "old") throw new Error("it is old")
        return note
      }, LAST_SEEN)
    await db.$transaction(async (t) => {
      await t.note({ id: "1" }).get()
      await t.note({ id: "1" }).set("old")
    }, LAST_SEEN)
    await expect(look()).rejects.toThrow("it is old")
    await raw("SET", "note:1", "new")
    expect(await look()).toBe("new")
    await raw("SET", "note:1", "old")
    await expect(look()).rejects.toThrow("it is old")
  })

  test("anything but true or false is refused", async () => {
    const work = db.$transaction(async () => 1, { lastSeen: "yes" as never })
    await expect(work).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
  })

  test("a plan that only what was last seen forbids is made again", async () => {
    await db.cart.create({ user: "ann" })
    const look = () => db.$transaction(async (t) => t.note({ id: (await t.cart.get("1"))!.user }).set("x"), LAST_SEEN)
    await look()
    await raw("SET", "cart:1", '{"id":"1","user":"zed"}')
    await raw("RENAME", "cart:index:user:ann", "cart:index:user:zed")
    await db.$transaction(async (t) => {
      const one = (await t.cart.get("1"))!
      await t.cart.create({ user: "bob" })
      await t.cart.update(one, { user: one.user === "ann" ? "bob" : "cid" })
    }, LAST_SEEN)
    expect(await db.cart.getMany(["1", "2"])).toMatchObject([{ user: "cid" }, { user: "bob" }])
  })

  test("a record that a reader changed is not what the next one gets", async () => {
    await db.dish.create({ id: "soup", stock: 10 })
    const look = () =>
      db.$transaction(async (t) => {
        const dish = (await t.dish.get("soup"))!
        const found = { ...dish }
        dish.stock = 99
        Object.assign(dish, { more: 1 })
        await t.note({ id: "1" }).set(String(dish.stock))
        return found
      }, LAST_SEEN)
    for (let i = 0; i < 4; i++) expect(await look()).toEqual({ id: "soup", stock: 10 })
    expect(await raw("GET", "dish:soup")).toBe('{"id":"soup","stock":10}')
  })

  test("two clients and a hundred transactions: nothing is lost or sold twice", async () => {
    const other = await connect(shop, server().target)
    try {
      await db.dish.create({ id: "soup", stock: 60 })
      const buy = (client: typeof db, user: string) =>
        client
          .$transaction(
            async (t) => {
              const dish = (await t.dish.get("soup"))!
              if (dish.stock === 0) throw new Error("sold out")
              await t.dish.update("soup", { stock: dish.stock - 1 })
              await t.sold({ id: user }).increment()
              return 1
            },
            { ...LAST_SEEN, timeoutMs: 60_000 },
          )
          .catch((error: Error) => (error.message === "sold out" ? 0 : Promise.reject(error)))
      const bought = await Promise.all(
        Array.from({ length: 100 }, (_, i) => buy(i % 2 === 0 ? db : other, i % 3 === 0 ? "ann" : "bob")),
      )
      expect(bought.reduce((sum, one) => sum + one, 0)).toBe(60)
      expect(Number(await db.sold({ id: "ann" }).get()) + Number(await db.sold({ id: "bob" }).get())).toBe(60)
      expect(await stockOf("soup")).toBe(0)
    } finally {
      await other.$close()
    }
  })
})

describe("what is kept", () => {
  const seeing = (...written: [string, string | Uint8Array][]): LastSeen => {
    const seen = new LastSeen()
    const plan = new Plan()
    for (const [key, value] of written) plan.write("SET", key, value)
    seen.learn(plan, new Map(), true)
    return seen
  }

  test("is bounded: the oldest half of the keys goes first, and large values are read", () => {
    const seen = seeing(...Array.from({ length: 10_001 }, (_, i) => [`k${i}`, "v"] as [string, string]))
    expect(seen.size).toBe(5000)
    expect(["k0", "k5000", "k5001", "k10000"].map((key) => seen.get(key))).toEqual([undefined, undefined, "v", "v"])
    seen.lost(["k5001"])
    expect(["k5001", "k5002"].map((key) => seen.get(key))).toEqual([undefined, "v"])
    expect(seeing(["a", "x".repeat(8193)], ["b", new Uint8Array(1)]).size).toBe(0)
    const growing = new LastSeen()
    growing.addHead("s:")
    for (let i = 0; i < 400; i++) {
      const plan = new Plan()
      const id = plan.allocate("c", { head: "s:", tail: "" })
      plan.enter(`s:${id}`, String(i), { wrongType: () => expect.fail() })
      growing.learn(plan, new Map([[id, "1"]]), true)
    }
    expect((growing.get("s:1") as readonly string[]).length).toBeLessThan(8192 / 32)
  })

  test("has no placeholder of an id in it", () => {
    const seen = new LastSeen()
    const plan = new Plan()
    const id = plan.allocate("dish:counter", { head: "dish:", tail: "" })
    plan.write("SET", `dish:${id}`, `{"id":"${id}"}`)
    plan.enter(`dish:${id}:parts`, id, { wrongType: () => expect.fail() })
    seen.learn(plan, new Map([[id, "7"]]), true)
    expect(seen.size).toBe(0) // nobody looks at dishes
    seen.addHead("dish:")
    seen.learn(plan, new Map([[id, "7"]]), true)
    expect([seen.get("dish:7"), seen.get("dish:7:parts")]).toEqual(['{"id":"7"}', ["7"]])
    expect(seen.size).toBe(2)
  })

  test("is used less the more often it was wrong, and again when it was right", () => {
    const seen = new LastSeen()
    const asked = (): number => {
      let count = 0
      while (!seen.begin()) count++
      return count
    }
    const counts = Array.from({ length: 8 }, () => {
      seen.lost([])
      return asked()
    })
    expect(counts).toEqual([1, 2, 4, 8, 16, 32, 64, 64])
    seen.learn(new Plan(), new Map(), false)
    seen.lost([])
    expect(asked()).toBe(64)
    seen.learn(new Plan(), new Map(), true)
    seen.lost([])
    expect(asked()).toBe(1)
  })
})
