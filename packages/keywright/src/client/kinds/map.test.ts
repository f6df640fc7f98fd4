import { expect, it } from "vitest"
import { WrongType } from "../../errors/outcome.ts"
import { bytes } from "../../schema/codec/bytes.ts"
import { bigint, float, int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { secret } from "../../schema/codec/wrap.ts"
import { map } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { sliding } from "../../schema/ttl.ts"
import { onEveryDriver } from "../on-every-driver.cases.ts"

const maps = keyspace({
  cart: map("cart:{id}", text, int),
  users: map("users", int, text, { ttl: "1m" }),
  seen: map("seen", text, text, { ttl: sliding("1m") }),
  big: map("big", text, bigint),
  parts: map("parts", text, float),
  blobs: map("blobs", text, bytes),
  tokens: map("tokens", secret(text), int),
})

onEveryDriver(maps, (on) => {
  it("sets and gets fields", async () => {
    const cart = on.db.cart({ id: "1" })
    expect(await cart.get("a")).toBeUndefined()
    expect(await cart.set("a", 1)).toBe(true)
    expect(await cart.set("a", 2)).toBe(false)
    expect(await cart.get("a")).toBe(2)
    expect(
      await cart.setMany([
        ["b", 3],
        ["c", 4],
      ]),
    ).toBe(2)
    expect(await cart.setMany(new Map([["c", 5]]))).toBe(0)
    expect(await cart.setMany(Object.entries({ d: 6 }))).toBe(1)
    expect(await cart.setMany([])).toBe(0)
    expect(await cart.getMany(["d", "nothing", "a"])).toEqual([6, undefined, 2])
    expect(await cart.getMany([])).toEqual([])
    expect(await on.raw("HGETALL", "cart:1")).toEqual(["a", "2", "b", "3", "c", "5", "d", "6"])
    expect(await cart.size()).toBe(4)
  })

  it("gives the whole, names and values", async () => {
    const cart = on.db.cart({ id: "1" })
    expect([await cart.all(), await cart.fields(), await cart.values(), await cart.size()]).toEqual([
      new Map(),
      [],
      [],
      0,
    ])
    await cart.setMany([
      ["__proto__", 1],
      ["constructor", 2],
    ])
    expect(await cart.all()).toEqual(
      new Map([
        ["__proto__", 1],
        ["constructor", 2],
      ]),
    )
    expect(await cart.fields()).toEqual(["__proto__", "constructor"])
    expect(await cart.values()).toEqual([1, 2])
    expect(await cart.get("__proto__")).toBe(1)
    await on.db.users().set(7, "u7")
    expect(await on.db.users().all()).toEqual(new Map([[7, "u7"]]))
  })

  it("walks many entries in pages, each once", async () => {
    const cart = on.db.cart({ id: "1" })
    await cart.setMany(Array.from({ length: 3000 }, (_, i) => [`item${i}`, i] as const))
    const seen = new Map<string, number>()
    for await (const [field, value] of cart.entries({ pageSize: 100 })) {
      expect(seen.has(field)).toBe(false)
      seen.set(field, value)
    }
    expect(seen.size).toBe(3000)
    const some: string[] = []
    for await (const [field] of cart.entries({ match: "item299?" })) some.push(field)
    expect(some).toHaveLength(10)
    for await (const _entry of on.db.cart({ id: "none" }).entries()) expect.unreachable()
  })

  it("replaces, removes, and sets what is absent", async () => {
    const cart = on.db.cart({ id: "1" })
    await cart.setMany([
      ["a", 1],
      ["b", 2],
    ])
    await cart.replace([["c", 3]])
    expect(await cart.all()).toEqual(new Map([["c", 3]]))
    await expect(cart.replace([["d", 0.5]])).rejects.toMatchObject({ code: "CODEC.INT" })
    expect(await cart.size()).toBe(1)
    expect(await cart.setIfAbsent("c", 4)).toBe(false)
    expect(await cart.setIfAbsent("d", 4)).toBe(true)
    expect([await cart.has("d"), await cart.has("e")]).toEqual([true, false])
    expect(await cart.remove("c", "e")).toBe(1)
    for (let i = 0; i < 2; i++) expect(await cart.removeMany(["d"], { operationId: "a" })).toBe(1)
    expect(await cart.remove()).toBe(0)
    await cart.replace([])
    expect(await cart.exists()).toBe(false)
  })

  it("counts in fields, exactly and once", async () => {
    expect(await on.db.cart({ id: "1" }).increment("a")).toBe(1)
    expect(await on.db.cart({ id: "1" }).increment("a", -2)).toBe(-1)
    expect(await on.db.parts().increment("a", 0.25)).toBe(0.25)
    await on.db.big().set("a", 9_007_199_254_740_993n)
    expect(await on.db.big().increment("a", 2n)).toBe(9_007_199_254_740_995n)
    for (let i = 0; i < 2; i++)
      expect(await on.db.big().increment("a", 2n, { operationId: "a" })).toBe(9_007_199_254_740_997n)
  })

  it("keeps bytes", async () => {
    const raw = Uint8Array.from({ length: 256 }, (_, i) => i)
    const blobs = on.db.blobs()
    await blobs.set("ä", raw)
    expect(Uint8Array.from((await blobs.get("ä"))!)).toEqual(raw)
    const [[name, value]] = [...(await blobs.all())] as [[string, Uint8Array]]
    expect([name, Uint8Array.from(value)]).toEqual(["ä", raw])
    expect(await blobs.fields()).toEqual(["ä"])
    for await (const [field, found] of blobs.entries()) expect([field, Uint8Array.from(found)]).toEqual(["ä", raw])
  })

  it("follows the TTL of the schema", async () => {
    await on.db.users().set(1, "a")
    expect(await on.db.users().ttl()).toBeGreaterThan(59_000)
    const seen = on.db.seen()
    await seen.set("a", "b")
    const walk = async () => {
      for await (const _entry of seen.entries());
    }
    for (const read of [() => seen.get("a"), () => seen.all(), () => seen.size(), walk]) {
      await on.raw("PEXPIRE", "seen", "1000")
      await read()
      expect(await seen.ttl()).toBeGreaterThan(59_000)
    }
  })

  it("rejects bad fields and values, and says what does not decode", async () => {
    await expect(on.db.users().set("1" as never, "a")).rejects.toMatchObject({ code: "CODEC.INT", key: "users" })
    await expect(
      on.db.cart({ id: "1" }).setMany([
        ["a", 1],
        ["b", 0.5],
      ]),
    ).rejects.toMatchObject({ code: "CODEC.INT" })
    await expect(on.db.users().get("x" as never)).rejects.toMatchObject({ code: "CODEC.INT" })
    expect(await on.raw("DBSIZE")).toBe(0)
    await on.raw("HSET", "cart:1", "a", "many")
    await expect(on.db.cart({ id: "1" }).all()).rejects.toMatchObject({ details: { part: "field a", codec: "int" } })
    await on.raw("HSET", "users", "x", "a")
    await expect(on.db.users().all()).rejects.toMatchObject({ details: { part: "a field's name", codec: "int" } })
    await on.raw("HSET", "tokens", "geheim", "many")
    const hidden = await on.db
      .tokens()
      .get("geheim")
      .catch((caught: unknown) => caught)
    expect(String(hidden) + JSON.stringify(hidden)).not.toContain("geheim")
    await on.raw("SET", "big", "1")
    await expect(on.db.big().all()).rejects.toBeInstanceOf(WrongType)
  })
})
