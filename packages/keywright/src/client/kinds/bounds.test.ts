/* Numbers with bounds: what is beyond them is refused before anything is sent, what other
 * programs wrote is named when it is read, and what the server counted is returned as it
 * is. */

import { expect, it } from "vitest"
import { SchemaError } from "../../errors/error.ts"
import { Undecodable } from "../../errors/outcome.ts"
import { anyOf } from "../../schema/codec/any-of.ts"
import { compactDay } from "../../schema/codec/date.ts"
import { float, int } from "../../schema/codec/number.ts"
import { oneOf } from "../../schema/codec/one-of.ts"
import { text } from "../../schema/codec/text.ts"
import { counter, hash, list, map, string, zset } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { onEveryDriver } from "../on-every-driver.cases.ts"

const bounded = keyspace({
  share: string("share", float({ min: 0, max: 1 })),
  stock: counter("stock", { value: int({ min: 0 }) }),
  params: hash("params", { day: int({ min: 0, max: 6 }) }),
  cart: map("cart", text, int({ min: 1 })),
  ring: zset("ring:{category}", text, {
    score: int({ min: 0, max: 6 }),
    params: { category: int({ min: 1, max: 5 }) },
  }),
  hours: list("hours", int({ min: 0, max: 23 })),
  views: zset("views", anyOf(compactDay, oneOf("total")), { score: int({ min: 0 }) }),
})

onEveryDriver(bounded, (on) => {
  it("refuses to write what is out of bounds, and sends nothing", async () => {
    const { db } = on
    const refused = [
      db.share().set(1.5),
      db.stock().set(-1),
      db.params().set({ day: 7 }),
      db.cart().set("item", 0),
      db.ring({ category: 1 }).add("post", 7),
      db.hours().pushRight(12, 24),
      db.views().add("yesterday" as "total", 1),
    ]
    for (const call of refused) await expect(call).rejects.toBeInstanceOf(SchemaError)
    expect(() => db.ring({ category: 6 })).toThrow(SchemaError)
    expect(await on.raw("DBSIZE")).toBe(0)
  })

  it("takes what is within them, both ends included", async () => {
    const { db } = on
    await db.share().set(1)
    await db.params().set({ day: 0 })
    await db.cart().set("item", 1)
    await db.ring({ category: 5 }).add("post", 6)
    await db.views().addMany([
      ["2011-10-03", 2],
      ["total", 0],
    ])
    expect(await db.ring({ category: 5 }).score("post")).toBe(6)
    expect(await db.views().range(0, -1)).toEqual(["total", "2011-10-03"])
    expect(await on.raw("ZRANGE", "views", "0", "-1")).toEqual(["total", "20111003"])
  })

  it("names what other hands left", async () => {
    await on.raw("SET", "share", "2")
    await on.raw("HSET", "cart", "item", "0", "fine", "2")
    await expect(on.db.share().get()).rejects.toBeInstanceOf(Undecodable)
    const told: unknown[] = []
    expect(await on.db.cart().all({ onUndecodable: (error) => void told.push(error.key) })).toEqual(
      new Map([["fine", 2]]),
    )
    expect(told).toEqual(["cart"])
  })

  it("asks for ranges whose ends no score may have", async () => {
    const ring = on.db.ring({ category: 1 })
    await ring.addMany([
      ["a", 0],
      ["b", 6],
    ])
    expect(await ring.between(-1, 10)).toEqual([
      ["a", 0],
      ["b", 6],
    ])
    expect(await ring.countBetween({ above: -5 }, { below: 99 })).toBe(2)
    expect(await ring.removeBetween(0, 10)).toBe(2)
  })

  it("counts as the server does, and tells where that led", async () => {
    const { db } = on
    expect(await db.stock().get()).toBe(0)
    expect(await db.stock().decrement()).toBe(-1)
    await expect(db.stock().get()).rejects.toBeInstanceOf(Undecodable)
    expect(await db.cart().increment("item", -2)).toBe(-2)
    expect(await db.params().increment("day", 9)).toBe(9)
    expect(await db.ring({ category: 1 }).increment("post", -1)).toBe(-1)
  })
})
