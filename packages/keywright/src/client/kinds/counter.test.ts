import { expect, it } from "vitest"
import { WrongType } from "../../errors/outcome.ts"
import { bigint, float } from "../../schema/codec/number.ts"
import { counter } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { fixed, sliding } from "../../schema/ttl.ts"
import { onEveryDriver } from "../on-every-driver.cases.ts"

const counters = keyspace({
  hits: counter("hits:{page}"),
  big: counter("big", { value: bigint }),
  seconds: counter("seconds", { value: float }),
  window: counter("window:{user}", { ttl: fixed("1m") }),
  active: counter("active", { ttl: sliding("1m") }),
})

onEveryDriver(counters, (on) => {
  it("counts from 0 up and down", async () => {
    const hits = on.db.hits({ page: "a" })
    expect(await hits.get()).toBe(0)
    expect(await hits.increment()).toBe(1)
    expect(await hits.increment(41)).toBe(42)
    expect(await hits.decrement()).toBe(41)
    expect(await hits.decrement(40n)).toBe(1)
    expect(await hits.get()).toBe(1)
    await hits.set(7)
    expect(await on.raw("GET", "hits:a")).toBe("7")
    expect(await hits.reset()).toBe(7)
    expect(await hits.reset()).toBe(0)
    expect(await hits.exists()).toBe(false)
  })

  it("is exact beyond 2^53, with and without an operation id", async () => {
    const big = on.db.big()
    await big.set(9_007_199_254_740_993n)
    expect(await big.get()).toBe(9_007_199_254_740_993n)
    expect(await big.increment()).toBe(9_007_199_254_740_994n)
    expect(await big.increment(1n, { operationId: "a" })).toBe(9_007_199_254_740_995n)
    expect(await big.increment(1n, { operationId: "a" })).toBe(9_007_199_254_740_995n)
    expect(await on.raw("GET", "big")).toBe("9007199254740995")
    await big.set(-(2n ** 63n) + 1n)
    expect(await big.decrement(1, { operationId: "b" })).toBe(-(2n ** 63n))
    await expect(big.decrement()).rejects.toMatchObject({ code: "SERVER.ERR", key: "big" })
  })

  it("does not give a rounded number where a counter of ints goes beyond 2^53", async () => {
    await on.raw("SET", "hits:a", "9007199254740992")
    await expect(on.db.hits({ page: "a" }).increment()).rejects.toMatchObject({ code: "VALUE.UNDECODABLE" })
    await expect(on.db.hits({ page: "a" }).get()).rejects.toMatchObject({ code: "VALUE.UNDECODABLE" })
  })

  it("counts floats", async () => {
    const seconds = on.db.seconds()
    expect(await seconds.increment(0.5)).toBe(0.5)
    expect(await seconds.increment(1.25, { operationId: "a" })).toBe(1.75)
    expect(await seconds.increment(1.25, { operationId: "a" })).toBe(1.75)
    expect(await seconds.decrement(2)).toBe(-0.25)
    expect(await seconds.get()).toBe(-0.25)
  })

  it("counts once with an operation id", async () => {
    const hits = on.db.hits({ page: "a" })
    await Promise.all(Array.from({ length: 10 }, () => hits.increment(1, { operationId: "same" })))
    expect(await hits.get()).toBe(1)
    await Promise.all(Array.from({ length: 10 }, (_, i) => hits.increment(1, { operationId: `other${i}` })))
    expect(await hits.get()).toBe(11)
  })

  it("keeps the deadline of a window that is fixed from creation", async () => {
    const window = on.db.window({ user: "7" })
    await window.increment()
    expect(await window.ttl()).toBeGreaterThan(59_000)
    await on.raw("PEXPIRE", "window:7", "1000")
    expect(await window.increment()).toBe(2)
    expect(await window.increment(1, { operationId: "a" })).toBe(3)
    await window.set(9)
    expect(await window.ttl()).toBeLessThanOrEqual(1000)
    await on.db.active().increment()
    await on.raw("PEXPIRE", "active", "1000")
    expect(await on.db.active().get()).toBe(1)
    expect(await on.db.active().ttl()).toBeGreaterThan(59_000)
  })

  it("rejects steps that cannot be counted, and sends nothing", async () => {
    const hits = on.db.hits({ page: "a" })
    for (const by of [0.5, NaN, Infinity, 2 ** 60, 2n ** 64n]) {
      await expect(hits.increment(by)).rejects.toMatchObject({ code: "CALL.ARGUMENT", pattern: "hits:{page}" })
    }
    await expect(on.db.seconds().increment(Infinity)).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
    await expect(hits.set(0.5)).rejects.toMatchObject({ code: "CODEC.INT" })
    expect(await on.raw("DBSIZE")).toBe(0)
  })

  it("refuses what is not a number, and another type", async () => {
    await on.raw("SET", "hits:a", "many")
    await expect(on.db.hits({ page: "a" }).increment()).rejects.toMatchObject({ code: "SERVER.ERR", key: "hits:a" })
    await expect(on.db.hits({ page: "a" }).get()).rejects.toMatchObject({ code: "VALUE.UNDECODABLE" })
    await on.raw("LPUSH", "hits:b", "1")
    const hits = on.db.hits({ page: "b" })
    await expect(hits.increment()).rejects.toBeInstanceOf(WrongType)
    await expect(hits.increment(1, { operationId: "w" })).rejects.toMatchObject({ key: "hits:b" })
  })
})
