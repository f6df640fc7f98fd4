/* Logical databases in a cluster: Valkey has them from version 9 on, Redis does not. */

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { needs, pathOf } from "../../../../../test/needs.ts"
import type { RealRedis } from "../../../../../test/real-redis.ts"
import { startClusterNode } from "../../../../../test/redis-cluster.ts"
import type { Driver } from "../driver.ts"
import { openServer } from "../resp/open-resp.ts"

describe.runIf(needs("valkey-server"))("a cluster of Valkey with several databases", () => {
  let server: RealRedis
  let driver: Driver
  beforeAll(async () => {
    server = await startClusterNode(["--cluster-databases", "4"], pathOf("valkey-server"))
    driver = openServer(server.url, { timeoutMs: 10_000 })
  })
  afterAll(async () => {
    await driver?.close()
    await server?.stop()
  })

  test("each has keys of its own, from one address", async () => {
    const [first, third] = [await driver.database(1), await driver.database(3)]
    await driver.send(["SET", "k", "0"])
    await first.send(["SET", "k", "1"])
    await third.batch([
      ["SET", "k", "3"],
      ["SET", "l", "3"],
    ])
    expect(driver.cluster && first.cluster && third.cluster).toBe(true)
    expect(await Promise.all([driver, first, third].map((one) => one.send(["GET", "k"])))).toEqual(["0", "1", "3"])
    expect(await Promise.all([driver, first, third].map((one) => one.send(["DBSIZE"])))).toEqual([1, 1, 2])
  })

  test("the address names one", async () => {
    const second = openServer(`${server.url}/2`, { timeoutMs: 10_000 })
    await second.send(["SET", "k", "2"])
    expect([await second.send(["GET", "k"]), second.db]).toEqual(["2", 2])
    await second.close()
  })

  test("one that is not there is refused by number", async () => {
    await expect(driver.database(7)).rejects.toMatchObject({
      code: "DRIVER.DATABASE",
      message: expect.stringContaining("7"),
    })
  })
})

describe.runIf(needs("redis-server"))("a cluster of Redis", () => {
  test("has database 0 only, and says so", async () => {
    const server = await startClusterNode()
    const driver = openServer(server.url, { timeoutMs: 10_000 })
    await expect(driver.database(1)).rejects.toMatchObject({ code: "DRIVER.DATABASE" })
    expect(await driver.send(["PING"])).toBe("PONG")
    await driver.close()
    await server.stop()
  })
})
