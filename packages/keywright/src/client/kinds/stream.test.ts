import { expect, it } from "vitest"
import { WrongType } from "../../errors/outcome.ts"
import { bytes } from "../../schema/codec/bytes.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { optional } from "../../schema/codec/wrap.ts"
import { stream } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { onEveryDriver } from "../on-every-driver.cases.ts"

const streams = keyspace({
  orders: stream("orders:{shop}", { order: int, note: optional(text) }),
  last: stream("last", { n: int }, { keep: 3 }),
  page: stream("page", { n: int }, { ttl: "1m" }),
  blobs: stream("blobs", { raw: bytes, ["__proto__"]: text }),
})

onEveryDriver(streams, (on) => {
  it("appends entries and reads them again", async () => {
    const orders = on.db.orders({ shop: "a" })
    expect([await orders.range(), await orders.length(), await orders.after("0")]).toEqual([[], 0, []])
    const first = await orders.append({ order: 1 })
    const second = await orders.append({ order: 2, note: "ä" })
    expect(await on.raw("XLEN", "orders:a")).toBe(2)
    const both = [
      { id: first, value: { order: 1 } },
      { id: second, value: { order: 2, note: "ä" } },
    ]
    expect(await orders.range()).toEqual(both)
    expect(await orders.range("-", "+", { reverse: true, count: 1 })).toEqual([both[1]])
    expect(await orders.range(`(${first}`)).toEqual([both[1]])
    expect(await orders.after(first)).toEqual([both[1]])
    expect(await orders.after("0", { count: 1 })).toEqual([both[0]])
    expect(await orders.append({ order: 3 }, { id: "9999999999999-1" })).toBe("9999999999999-1")
    expect(await orders.remove(first, "0-1")).toBe(1)
    expect(await orders.remove()).toBe(0)
    expect(await orders.trim(1)).toBe(1)
    expect(await orders.length()).toBe(1)
  })

  it("appends once with an operation id, and keeps the newest", async () => {
    const last = on.db.last()
    const id = await last.append({ n: 0 }, { operationId: "a" })
    expect(await last.append({ n: 0 }, { operationId: "a" })).toBe(id)
    expect(await last.length()).toBe(1)
    for (let n = 1; n < 6; n++) await last.append({ n })
    expect((await last.range()).map(({ value }) => value.n)).toEqual([3, 4, 5])
  })

  it("waits for entries on a connection of its own", async () => {
    const orders = on.db.orders({ shop: "a" })
    const waiting = orders.after("$", { waitMs: 10_000 })
    // The wait begins at the server before or after the append: an id after all others is found by both.
    const found = orders.after("0", { waitMs: 10_000 })
    await orders.append({ order: 7 })
    expect((await found).map(({ value }) => value)).toEqual([{ order: 7 }])
    for (let settled = false; !settled;) {
      await orders.append({ order: 8 })
      settled = await Promise.race([waiting.then(() => true), new Promise<false>((done) => setImmediate(done, false))])
    }
    expect((await waiting).length).toBeGreaterThan(0)
    expect(await orders.after("9999999999999-0", { waitMs: 10 })).toEqual([])
  })

  it("hands entries out to consumers of a group", async () => {
    const orders = on.db.orders({ shop: "a" })
    expect(await orders.createGroup("mail", { from: "0" })).toBe(true)
    expect(await orders.createGroup("mail")).toBe(false)
    const ids = [
      await orders.append({ order: 1 }),
      await orders.append({ order: 2 }),
      await orders.append({ order: 3 }),
    ]
    const one = await orders.readGroup("mail", "one", { count: 2 })
    expect(one.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect((await orders.readGroup("mail", "two", { waitMs: 1000 })).map(({ value }) => value.order)).toEqual([3])
    expect(await orders.readGroup("mail", "two")).toEqual([])
    expect(await orders.readGroup("mail", "two", { waitMs: 10 })).toEqual([])
    expect(await orders.ack("mail", ids[0]!)).toBe(1)
    expect(await orders.ack("mail")).toBe(0)
    const pending = await orders.pending("mail")
    expect(pending.map(({ id, consumer, deliveries }) => [id, consumer, deliveries])).toEqual([
      [ids[1], "one", 1],
      [ids[2], "two", 1],
    ])
    expect((await orders.pending("mail", { consumer: "two", count: 1, idleMs: 0 })).map(({ id }) => id)).toEqual([
      ids[2],
    ])
    expect((await orders.readGroup("mail", "one", { from: "0" })).map(({ id }) => id)).toEqual([ids[1]])
    expect((await orders.claim("mail", "two", [ids[1]!], { idleMs: 0 })).map(({ value }) => value.order)).toEqual([2])
    expect(await orders.claim("mail", "two", [], { idleMs: 0 })).toEqual([])
    const taken = await orders.autoClaim("mail", "one", { idleMs: 0 })
    expect([taken.next, taken.entries.map(({ value }) => value.order)]).toEqual(["0-0", [2, 3]])
    await orders.remove(ids[2]!)
    expect((await orders.readGroup("mail", "one", { from: "0" })).map(({ id }) => id)).toEqual([ids[1]])
    expect(await orders.deleteGroup("mail")).toBe(true)
    await expect(orders.readGroup("mail", "one")).rejects.toMatchObject({ code: "SERVER.NOGROUP", key: "orders:a" })
  })

  it("keeps bytes, and a field named __proto__", async () => {
    const raw = Uint8Array.from({ length: 256 }, (_, i) => i)
    const id = await on.db.blobs().append(
      Object.fromEntries([
        ["raw", raw],
        ["__proto__", "p"],
      ]) as never,
    )
    const [entry] = await on.db.blobs().range()
    expect(entry!.id).toBe(id)
    expect(Uint8Array.from(entry!.value.raw)).toEqual(raw)
    expect(Object.entries(entry!.value).map(([name]) => name)).toEqual(["raw", "__proto__"])
    expect((await on.db.blobs().after("0", { waitMs: 1000 })).length).toBe(1)
  })

  it("follows the TTL of the schema", async () => {
    const page = on.db.page()
    await page.append({ n: 1 })
    expect(await page.ttl()).toBeGreaterThan(59_000)
    await page.delete()
    await page.createGroup("g")
    expect(await page.ttl()).toBeGreaterThan(59_000)
  })

  it("rejects bad entries, and says what does not decode", async () => {
    const orders = on.db.orders({ shop: "a" })
    await expect(orders.append({ order: 0.5 })).rejects.toMatchObject({ code: "CODEC.INT", key: "orders:a" })
    await expect(orders.append({ note: "x" } as never)).rejects.toMatchObject({ code: "VALUE.INCOMPLETE" })
    await expect(orders.append({ order: 1, x: 1 } as never)).rejects.toMatchObject({ code: "VALUE.UNKNOWN_FIELD" })
    await expect(orders.range("-", "+", { count: -1 })).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
    await expect(orders.after("0", { waitMs: 0 })).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
    expect(await on.raw("DBSIZE")).toBe(0)
    await on.raw("XADD", "orders:a", "*", "order", "x")
    await expect(orders.range()).rejects.toMatchObject({ details: { part: "field order", codec: "int" } })
    await on.raw("XADD", "last", "*", "m", "x")
    await expect(on.db.last().range()).rejects.toMatchObject({ code: "VALUE.MISSING_FIELD" })
    await on.raw("SET", "page", "1")
    await expect(on.db.page().append({ n: 1 })).rejects.toBeInstanceOf(WrongType)
  })
})
