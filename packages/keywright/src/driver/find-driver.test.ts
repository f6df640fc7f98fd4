import { Redis } from "ioredis"
import { createClient, createSentinel } from "redis"
import { createSentinel as createSentinel5 } from "redis-5"
import { describe, expect, test } from "vitest"
import { KeywrightError } from "../errors/error.ts"
import { findDriver } from "./find-driver.ts"

describe("finding a driver", () => {
  const refused = (client: unknown): KeywrightError => {
    try {
      findDriver({ client })
    } catch (error) {
      return error as KeywrightError
    }
    return expect.unreachable("it was taken")
  }

  for (const [what, client, shown] of [
    ["undefined", undefined, "is undefined"],
    ["null", null, "is null"],
    ["a number", 42, "is a number"],
    ["a class instead of an instance", Redis, "the function Redis"],
    ["a plain object", { get: () => "v" }, "an object of class Object with get"],
    ["a map", new Map([["password", "hunter2"]]), "an object of class Map"],
    ["a promise", Promise.resolve(), "a promise"],
  ] as const) {
    test(`says what was found when it is ${what}`, () => {
      const error = refused(client)
      expect(error.code).toBe("DRIVER.CLIENT")
      expect(error.message).toContain(shown)
      expect(error.message).not.toContain("hunter2")
    })
  }

  test("knows a node-redis client by its shape, and leaves it as it is", async () => {
    const client = createClient({ url: "redis://user:hunter2@example.org:1/3" })
    const driver = findDriver({ client })
    expect([driver.kind, driver.db, driver.label]).toEqual([
      "node-redis",
      3,
      "redis://example.org:1/3 (node-redis client)",
    ])
    await driver.close()
    expect(client.isOpen).toBe(false)
  })

  test("knows an ioredis client by its shape, and leaves it as it is", async () => {
    const client = new Redis("redis://user:hunter2@example.org:1/3", { lazyConnect: true })
    const driver = findDriver({ client })
    expect([driver.kind, driver.db, driver.label]).toEqual(["ioredis", 3, "redis://example.org:1/3 (ioredis client)"])
    await driver.close()
    expect(client.status).toBe("wait")
  })

  test("refuses clients that would change keys or replies", () => {
    expect(refused(createClient({ keyPrefix: "app:" })).message).toContain("prefix")
    expect(refused(new Redis({ lazyConnect: true, keyPrefix: "app:" })).message).toContain("prefix")
    expect(refused(new Redis({ lazyConnect: true, replyMapping: "resp3" })).message).toContain("resp3")
  })

  test("refuses a Sentinel client of node-redis, which sends commands in another way", () => {
    const options = { name: "service", sentinelRootNodes: [{ host: "127.0.0.1", port: 1 }] }
    for (const client of [createSentinel(options), createSentinel5(options)])
      expect(refused(client)).toMatchObject({
        code: "DRIVER.CLIENT",
        message: expect.stringContaining("an object") as string,
      })
  })

  test("answers that nothing was applied when the client was never connected", async () => {
    const driver = findDriver({ client: createClient() })
    await expect(driver.send(["INCR", "n"])).rejects.toMatchObject({ name: "NotApplied", code: "DRIVER.NOT_SENT" })
    await driver.close()
  })
})
