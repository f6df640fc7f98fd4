import { expect, it } from "vitest"
import { Undecodable, WrongType } from "../../errors/outcome.ts"
import { bytes } from "../../schema/codec/bytes.ts"
import { isoInstant } from "../../schema/codec/date.ts"
import { flag } from "../../schema/codec/flag.ts"
import { bigint, float, int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { optional, secret } from "../../schema/codec/wrap.ts"
import { hash } from "../../schema/define.ts"
import { family } from "../../schema/group.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { either, fixed, sliding } from "../../schema/ttl.ts"
import { onEveryDriver } from "../on-every-driver.cases.ts"

const fields = { name: text, qty: int, note: optional(text), seen: optional(isoInstant), ok: optional(flag) }

const hashes = keyspace({
  item: hash("item:{id}", fields),
  page: hash("page:{id}", fields, { ttl: "5m" }),
  session: hash("session:{id}", { user: text }, { ttl: sliding("5m") }),
  window: hash("window:{id}", { count: int }, { ttl: fixed("5m") }),
  token: hash("token:{id}", { user: text, key: optional(secret(int)) }, { ttl: either("30s", "never") }),
  odd: hash("odd", { ["__proto__"]: text, constructor: optional(text) }),
  numbers: hash("numbers", { big: optional(bigint), part: optional(float), small: optional(int) }),
  blob: hash("blob", { raw: bytes, name: text }),
  channel: family("ch:{id}", { ttl: "1h" }, { info: hash("", { name: text, count: optional(int) }) }),
})

onEveryDriver(hashes, (on) => {
  it("gets a record as a whole, or a field of it", async () => {
    const item = on.db.item({ id: "1" })
    expect(await item.get()).toBeUndefined()
    expect(await item.get("name")).toBeUndefined()
    await item.set({ name: "a", qty: 2 })
    expect(await item.get()).toEqual({ name: "a", qty: 2 })
    expect(await item.get("qty")).toBe(2)
    expect(await item.get("note")).toBeUndefined()
    expect(await on.raw("HGETALL", "item:1")).toEqual(["name", "a", "qty", "2"])
    const seen = new Date("2024-01-02T03:04:05.678Z")
    await item.set({ seen, ok: true, note: "" })
    expect(await item.get()).toEqual({ name: "a", qty: 2, seen, ok: true, note: "" })
    expect(await item.getMany(["qty", "ok", "note"])).toEqual({ qty: 2, ok: true, note: "" })
    expect(await on.db.item({ id: "2" }).getMany(["qty"])).toEqual({})
    expect(await item.getMany([])).toEqual({})
  })

  it("changes some fields and leaves the others, unknown ones too", async () => {
    await on.raw("HSET", "item:1", "name", "a", "qty", "1", "from-another-version", "x")
    const item = on.db.item({ id: "1" })
    expect(await item.get()).toEqual({ name: "a", qty: 1 })
    await item.set({ qty: 2, note: undefined } as never)
    await item.set({})
    expect(await on.raw("HGET", "item:1", "from-another-version")).toBe("x")
    expect((await item.fields()).sort()).toEqual(["from-another-version", "name", "qty"])
    expect(await item.length()).toBe(3)
  })

  it("replaces the whole record in one step", async () => {
    const item = on.db.item({ id: "1" })
    await item.set({ name: "a", qty: 1, note: "old" })
    await item.replace({ name: "b", qty: 2 })
    expect(await on.raw("HGETALL", "item:1")).toEqual(["name", "b", "qty", "2"])
    await expect(item.replace({ name: "c" } as never)).rejects.toMatchObject({ code: "VALUE.INCOMPLETE" })
    await expect(item.replace({ name: "c", qty: 0.5 })).rejects.toMatchObject({ code: "CODEC.INT" })
    expect(await item.get()).toEqual({ name: "b", qty: 2 })
    await on.db.numbers().set({ small: 1 })
    await on.db.numbers().replace({})
    expect(await on.db.numbers().exists()).toBe(false)
  })

  it("has fields, adds and deletes them", async () => {
    const item = on.db.item({ id: "1" })
    expect(await item.setIfAbsent("note", "a")).toBe(true)
    expect(await item.setIfAbsent("note", "b")).toBe(false)
    expect(await item.setIfAbsent("name", "n", { operationId: "1" })).toBe(true)
    expect(await item.setIfAbsent("name", "n", { operationId: "1" })).toBe(true)
    expect([await item.has("note"), await item.has("qty")]).toEqual([true, false])
    expect(await item.deleteField("note", "qty")).toBe(1)
    expect(await item.deleteField()).toBe(0)
    expect(await item.has("note")).toBe(false)
  })

  it("counts in fields, exactly and once", async () => {
    const numbers = on.db.numbers()
    expect(await numbers.increment("small")).toBe(1)
    expect(await numbers.increment("small", -3)).toBe(-2)
    expect(await numbers.increment("part", 0.5)).toBe(0.5)
    await numbers.set({ big: 9_007_199_254_740_993n })
    expect(await numbers.increment("big")).toBe(9_007_199_254_740_994n)
    for (let i = 0; i < 2; i++)
      expect(await numbers.increment("big", 1, { operationId: "a" })).toBe(9_007_199_254_740_995n)
    expect(await numbers.get()).toEqual({ big: 9_007_199_254_740_995n, small: -2, part: 0.5 })
    await expect(numbers.increment("small", 0.5)).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
  })

  it("reads a field named __proto__ like any other", async () => {
    const odd = on.db.odd()
    const record = Object.fromEntries([["__proto__", "a"]]) as { ["__proto__"]: string; constructor?: string }
    await odd.set(record)
    expect(await on.raw("HGETALL", "odd")).toEqual(["__proto__", "a"])
    const read = (await odd.get())!
    expect(Object.entries(read)).toEqual([["__proto__", "a"]])
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
    expect(await odd.get("__proto__")).toBe("a")
    expect(Object.entries(await odd.getMany(["__proto__", "constructor"]))).toEqual([["__proto__", "a"]])
    await odd.replace(record)
    expect(await odd.fields()).toEqual(["__proto__"])
  })

  it("keeps bytes beside text", async () => {
    const raw = Uint8Array.from({ length: 256 }, (_, i) => i)
    await on.db.blob().set({ raw, name: "ä" })
    const read = (await on.db.blob().get())!
    expect([Uint8Array.from(read.raw), read.name]).toEqual([raw, "ä"])
    expect(Uint8Array.from((await on.db.blob().get("raw"))!)).toEqual(raw)
    expect(await on.db.blob().get("name")).toBe("ä")
  })

  it("follows the TTL of the schema", async () => {
    const page = on.db.page({ id: "1" })
    await page.set({ name: "a" })
    expect(await page.ttl()).toBeGreaterThan(290_000)
    await on.raw("PERSIST", "page:1")
    await page.replace({ name: "a", qty: 1 })
    expect(await page.ttl()).toBeGreaterThan(290_000)
    await on.raw("PEXPIRE", "page:1", "1000")
    await page.get()
    expect(await page.ttl()).toBeLessThanOrEqual(1000)
    await page.increment("qty", 1, { operationId: "a" })
    expect(await page.ttl()).toBeGreaterThan(290_000)

    const session = on.db.session({ id: "1" })
    await session.set({ user: "u" })
    for (const read of [() => session.get(), () => session.get("user"), () => session.fields()]) {
      await on.raw("PEXPIRE", "session:1", "1000")
      await read()
      expect(await session.ttl()).toBeGreaterThan(290_000)
    }

    const window = on.db.window({ id: "1" })
    await window.increment("count")
    await on.raw("PEXPIRE", "window:1", "1000")
    expect(await window.increment("count")).toBe(2)
    expect(await window.ttl()).toBeLessThanOrEqual(1000)

    const token = on.db.token({ id: "1" })
    await token.set({ user: "u" }, { ttl: "30s" })
    expect(await token.ttl()).toBeGreaterThan(29_000)
    await token.set({ user: "u" }, { ttl: "never" })
    expect(await token.ttl()).toBe("never")
    await expect(token.set({ user: "v" })).rejects.toMatchObject({ code: "TTL.CHOICE" })
    expect(await token.get("user")).toBe("u")
  })

  it("does not begin a family that is not loaded, and leaves the deadline of one that is", async () => {
    const info = on.db.channel.info({ id: "1" })
    await info.set({ name: "a" })
    expect(await info.increment("count")).toBe(0)
    expect(await info.increment("count", 1, { operationId: "a" })).toBe(0)
    expect(await info.setIfAbsent("name", "b")).toBe(false)
    await info.replace({ name: "c" })
    expect(await info.exists()).toBe(false)
    await on.raw("HSET", "ch:1", "name", "a")
    await on.raw("PEXPIRE", "ch:1", "100000")
    await info.replace({ name: "b" })
    expect(await info.increment("count", 9)).toBe(9)
    expect(await info.increment("count", 1, { operationId: "b" })).toBe(10)
    expect(await info.get()).toEqual({ name: "b", count: 10 })
    expect(await info.ttl()).toBeLessThanOrEqual(100_000)
    expect(await info.ttl()).toBeGreaterThan(50_000)
  })

  it("says which field is missing or does not decode", async () => {
    await on.raw("HSET", "item:1", "name", "a")
    const missing = await on.db
      .item({ id: "1" })
      .get()
      .catch((caught: unknown) => caught)
    expect(missing).toBeInstanceOf(Undecodable)
    expect(missing).toMatchObject({ code: "VALUE.MISSING_FIELD", key: "item:1", details: { field: "qty" } })
    await on.raw("HSET", "item:1", "qty", "many")
    await expect(on.db.item({ id: "1" }).get()).rejects.toMatchObject({
      code: "VALUE.UNDECODABLE",
      pattern: "item:{id}",
      key: "item:1",
      details: { part: "field qty", codec: "int" },
    })
    await on.raw("HSET", "token:1", "user", "u", "key", "geheim")
    const hidden = await on.db
      .token({ id: "1" })
      .get()
      .catch((caught: unknown) => caught)
    expect(String(hidden) + JSON.stringify(hidden)).not.toContain("geheim")
  })

  it("rejects what the schema refuses, and sends nothing", async () => {
    const item = on.db.item({ id: "1" })
    await expect(item.set({ qty: "1" } as never)).rejects.toMatchObject({ code: "CODEC.INT", key: "item:1" })
    await expect(item.set({ nme: "1" } as never)).rejects.toMatchObject({ code: "VALUE.UNKNOWN_FIELD" })
    await expect(item.get("nme" as never)).rejects.toMatchObject({ code: "VALUE.UNKNOWN_FIELD" })
    await expect(item.setIfAbsent("hasOwnProperty" as never, "1" as never)).rejects.toMatchObject({
      code: "VALUE.UNKNOWN_FIELD",
    })
    expect(await on.raw("DBSIZE")).toBe(0)
  })

  it("refuses a key of another type", async () => {
    await on.raw("SET", "item:1", "a")
    await on.raw("SET", "page:1", "a")
    const calls = [
      on.db.item({ id: "1" }).get(),
      on.db.item({ id: "1" }).set({ qty: 1 }),
      on.db.page({ id: "1" }).set({ qty: 1 }),
    ]
    for (const call of calls) await expect(call).rejects.toBeInstanceOf(WrongType)
    await expect(on.db.page({ id: "1" }).set({ qty: 1 })).rejects.toMatchObject({ pattern: "page:{id}", key: "page:1" })
  })
})
