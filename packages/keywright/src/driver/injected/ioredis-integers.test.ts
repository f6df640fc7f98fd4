/* Integers through ioredis, for users who may change a key and not read it. */

import { Redis } from "ioredis"
import { Redis as Redis5 } from "ioredis-5"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { connect } from "../../client/connect.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { counter, map } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import type { Driver } from "../driver.ts"
import { findDriver } from "../find-driver.ts"

let redis: RealRedis
let admin: Redis
beforeAll(async () => {
  redis = await startRedis()
  admin = new Redis(redis.url)
  await admin.acl("SETUSER", "writer", "on", ">secret", "~*", "&*", "+@all", "-get", "-hget")
})
afterAll(async () => {
  admin.disconnect()
  await redis.stop()
})

describe.each([
  ["ioredis 6", (url: string) => new Redis(url)],
  ["ioredis 5", (url: string) => new Redis5(url)],
] as const)("through %s, a user who may not read", (_name, open) => {
  let driver: Driver
  beforeEach(async () => {
    await admin.flushall()
    const client = open(redis.url.replace("//", "//writer:secret@"))
    driver = findDriver({ client })
    return async () => {
      await driver.close()
      client.disconnect()
    }
  })

  test("is told what was counted, and not that it was refused", async () => {
    expect(await driver.send(["INCR", "n"])).toBe(1)
    expect(await driver.send(["HINCRBY", "h", "field", "-5"])).toBe(-5)
    expect(await driver.multi([["DECRBY", "n", "3"]])).toEqual([-2])
    expect(await admin.get("n")).toBe("-2")
  })

  test("is told that the outcome is unknown where the result cannot be told exactly", async () => {
    await admin.set("n", "9007199254740993")
    await expect(driver.send(["INCR", "n"])).rejects.toMatchObject({ name: "OutcomeUnknown", code: "DRIVER.REPLY" })
    expect(await admin.get("n")).toBe("9007199254740994")
  })

  test("is told exactly what is beyond 2^53 where it may be read", async () => {
    await admin.set("n", "9007199254740993")
    const reader = new Redis(redis.url)
    expect(await findDriver({ client: reader }).send(["INCR", "n"])).toBe(9007199254740994n)
    expect(await findDriver({ client: reader }).send(["DECRBY", "n", "9007199254740995"])).toBe(-1)
    reader.disconnect()
  })

  test("is told exactly what is a little below 2^53, with an operation id too", async () => {
    const reader = open(redis.url)
    const db = await connect(keyspace({ n: counter("n"), map: map("map", text, int) }, { ttl: "never" }), {
      client: reader,
    })
    for (const start of ["9007199254740980", "-9007199254740951"]) {
      await admin.multi().set("n", start).hset("map", "a", start).exec()
      for (const notes of [{ operationId: start }, {}]) {
        expect(await db.n().increment(1, notes)).toBe(Number(await admin.get("n")))
        expect(await db.map().increment("a", 1, notes)).toBe(Number(await admin.hget("map", "a")))
      }
    }
    await db.$close()
    reader.disconnect()
  })
})
