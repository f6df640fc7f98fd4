import { connect, counter, fixed, keyspace, sliding, string, text } from "keywright"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { runProgram } from "../../../../test/child-program.ts"
import { testEngine, useEngine } from "./index.ts"

const shop = keyspace({
  page: string("cache:{hash}", text, { ttl: "5m" }),
  session: string("session:{id}", text, { ttl: sliding("10m") }),
  limit: counter("limit:{ip}", { ttl: fixed("1m") }),
})

describe("useEngine", async () => {
  const { db, forward, now, target } = await useEngine(shop, { beforeEach, afterAll })

  it("gives a typed client, and a clock that can be moved", async () => {
    await db.page({ hash: "a" }).set("<html>")
    await forward("4m")
    expect(await db.page({ hash: "a" }).get()).toBe("<html>")
    await forward("2m")
    expect(await db.page({ hash: "a" }).get()).toBeUndefined()
  })

  it("shows every rule of a TTL in no time", async () => {
    await db.session({ id: "1" }).set("u")
    await db.limit({ ip: "x" }).increment()
    for (let i = 0; i < 5; i++) {
      await forward("9m")
      expect(await db.session({ id: "1" }).get()).toBe("u")
    }
    expect(await db.limit({ ip: "x" }).get()).toBe(0)
    await forward("11m")
    expect(await db.session({ id: "1" }).get()).toBeUndefined()
  })

  it("is empty before each test", async () => {
    expect(await db.$driver().send(["DBSIZE"])).toBe(0)
    await db.page({ hash: "left-over" }).set("x")
  })

  it("is empty before each test, whatever the last one left", async () => {
    expect(await db.$driver().send(["DBSIZE"])).toBe(0)
  })

  it("can be handed to code that connects by itself", async () => {
    const own = await connect(shop, target)
    await own.page({ hash: "a" }).set("x")
    expect(await db.page({ hash: "a" }).get()).toBe("x")
    await own.$close()
    expect(now()).toBeGreaterThan(Date.now())
  })

  it("says what is missing when there are no hooks", async () => {
    await expect(useEngine(shop, {})).rejects.toMatchObject({ code: "TESTING.HOOKS" })
  })
})

describe("testEngine", () => {
  it("is an engine for one test, with a clock that can stand still, and a port where it is needed", async () => {
    const redis = await testEngine({ startAt: new Date("2026-01-01T00:00:00Z"), still: true, port: 0 })
    try {
      const db = await redis.connect(shop)
      expect(new Date(redis.now()).toISOString()).toBe("2026-01-01T00:00:00.000Z")
      await db.page({ hash: "a" }).set("x")
      await redis.forward("1m")
      expect(new Date(redis.now()).toISOString()).toBe("2026-01-01T00:01:00.000Z")
      expect(await db.page({ hash: "a" }).ttl()).toBe(4 * 60_000)
      const outside = await connect(shop, redis.url)
      expect(await outside.page({ hash: "a" }).get()).toBe("x")
      await outside.$close()
      await redis.flush()
      expect(await db.page({ hash: "a" }).get()).toBeUndefined()
    } finally {
      await redis.stop()
    }
  })

  it("does not look at REDIS_URL", async () => {
    process.env["REDIS_URL"] = "redis://127.0.0.1:1"
    const redis = await testEngine()
    delete process.env["REDIS_URL"]
    const db = await redis.connect(shop)
    await db.page({ hash: "a" }).set("x")
    await redis.stop()
  })

  it("serves node:test as well, and lets the process end", async () => {
    const child = runProgram(`
import { keyspace, string, text } from "keywright"
import { useEngine } from "keywright/testing"
import assert from "node:assert"
import { after, beforeEach, test } from "node:test"
const { db, forward } = await useEngine(keyspace({ page: string("p", text, { ttl: "5m" }) }), { beforeEach, after })
test("one", async () => {
  await db.page().set("x")
  assert.equal(await db.page().get(), "x")
})
test("two", async () => {
  assert.equal(await db.page().get(), undefined)
  await db.page().set("x")
  await forward("6m")
  assert.equal(await db.page().get(), undefined)
})`)
    expect(await child.ended, child.errors() + child.lines.join("\n")).toBe(0)
    expect(child.lines.join("\n")).toMatch(/pass 2/)
  })
})
