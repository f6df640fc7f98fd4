/* Clients with settings of their own, or in a state of their own: limits of queues, time-outs, databases. What a
 * call reports is true all the same, and the client remains usable for the application. */

import { createClient } from "redis"
import { createClient as createClient5 } from "redis-5"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import type { Driver } from "../driver.ts"
import { findDriver } from "../find-driver.ts"

vi.setConfig({ testTimeout: 60_000 })

let redis: RealRedis
/** Not by way of a client under test. */
let direct: Driver
const ends: (() => unknown)[] = []
beforeEach(async () => {
  redis = await startRedis()
  direct = findDriver(redis.url)
})
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
  await direct.close()
  await redis.stop()
})

const driverOf = (client: object, timeoutMs = 2000): Driver => {
  const driver = findDriver({ client, timeoutMs })
  ends.push(() => driver.close())
  return driver
}

const NODE_REDIS = { "node-redis 6": createClient, "node-redis 5": createClient5 as unknown as typeof createClient }

describe.each(Object.entries(NODE_REDIS))("%s", (_name, create) => {
  const opened = async (settings: Parameters<typeof createClient>[0]) => {
    const client = create({ ...settings, socket: { host: "127.0.0.1", port: redis.port } })
    client.on("error", () => undefined)
    await client.connect()
    ends.push(() => client.destroy())
    return client
  }

  test.each([6, 7, 8, 9])(
    "a transaction behind %d calls, which the queue has no room for, leaves nothing behind",
    async (count) => {
      const client = await opened({ commandsQueueMaxLength: 10 })
      const driver = driverOf(client)
      const others = Array.from({ length: count }, (_, i) => client.get(`x${i}`))
      const multi = driver.multi([
        ["SET", "a", "1"],
        ["SET", "b", "1"],
        ["SET", "c", "1"],
      ])
      await expect(multi).rejects.toMatchObject({ name: "NotApplied", code: "DRIVER.NOT_SENT" })
      await Promise.all(others)
      expect(await client.set("app", "1")).toBe("OK")
      expect(await driver.multi([["SET", "d", "1"]])).toEqual(["OK"])
      expect(await direct.send(["MGET", "a", "b", "c", "d", "app"])).toEqual([null, null, null, "1", "1"])
    },
  )

  test("commands keep their order, though the client is set to put each new one first", async () => {
    const driver = driverOf(await opened({ commandOptions: { asap: true } }))
    const steps = Array.from({ length: 5 }, (_, i) => ["RPUSH", "list", String(i)])
    expect(await driver.multi(steps)).toEqual([1, 2, 3, 4, 5])
    expect(await driver.batch(steps)).toEqual([6, 7, 8, 9, 10])
    expect(await direct.send(["LRANGE", "list", "0", "-1"])).toEqual([..."0123401234"])
  })
})
