/* A cluster of two primaries, looked at through injected cluster clients. */

import { Cluster } from "ioredis"
import { createCluster } from "redis"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import type { RealRedis } from "../../../../../test/real-redis.ts"
import { startPrimaries } from "../../../../../test/redis-cluster.ts"
import type { Command, Driver } from "../../driver/driver.ts"
import { findDriver } from "../../driver/find-driver.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { audit } from "./audit.ts"
import { bistro } from "./bistro.cases.ts"
import { infer } from "../infer/infer.ts"
import { stats } from "../stats/stats.ts"

const schema = bistro as unknown as Keyspace

describe.runIf(needs("redis-server"))("a cluster of two primaries", () => {
  let servers: readonly RealRedis[] = []
  const closing: (() => unknown)[] = []

  beforeAll(async () => {
    servers = (await startPrimaries(2)).nodes
  })
  afterAll(async () => {
    for (const close of closing) await close()
    for (const server of servers) await server.stop()
  })

  const clients: Readonly<Record<string, () => Promise<object>>> = {
    "node-redis": async () => {
      const client = createCluster({ rootNodes: servers.map(({ url }) => ({ url })) })
      client.on("error", () => undefined)
      await client.connect()
      closing.push(() => client.destroy())
      return client
    },
    ioredis: async () => {
      const client = new Cluster(servers.map(({ port }) => ({ host: "127.0.0.1", port })))
      client.on("error", () => undefined)
      closing.push(() => client.disconnect())
      return client
    },
  }

  it.each(Object.keys(clients))("is walked and audited as a whole, by %s", async (name) => {
    const driver = await findDriver({ client: (await clients[name]!()) as never })
    await fill(driver)
    const clean = await audit(schema, driver)
    expect(clean.findings).toEqual([])
    expect((await stats(schema, driver)).keys).toBe(clean.keys)
    await damage(driver)
    const { summary, keys } = await audit(schema, driver)
    expect(summary).toEqual({
      "INDEX.MISSING": 1,
      "MIRROR.DANGLING": 1,
      "LIST.MISSING": 1,
      "KEY.UNKNOWN": 1,
      "TTL.UNEXPECTED": 1,
    })
    expect(keys).toBe(clean.keys + 1)
    await repair(driver)
  })

  it("is inferred as a whole", async () => {
    const driver = await findDriver({ client: (await clients["ioredis"]!()) as never })
    await fill(driver)
    const { form } = await infer(driver)
    expect(form.entries["dish"]).toMatchObject({
      all: "dish:list",
      counter: "dish:counter",
      index: { category: { patterns: ["dish:index:category:{categoryId}", "category:{categoryId}:dishes"] } },
    })
  })
})

const send = async (driver: Driver, commands: readonly Command[]) => {
  for (const command of commands) await driver.send(command)
}

async function fill(driver: Driver): Promise<void> {
  for (let i = 1; i <= 40; i++) {
    const category = String(1 + (i % 4))
    const dish = {
      id: String(i),
      name: "d",
      categoryId: category,
      price: i,
      available: false,
      addedAt: "2026-01-05T00:00:00Z",
    }
    await send(driver, [
      ["SET", `category:${category}`, JSON.stringify({ id: category, name: "c" })],
      ["SADD", "category:list", category],
      ["SET", `dish:${i}`, JSON.stringify(dish)],
      ["SADD", "dish:list", String(i)],
      ["SADD", `dish:index:category:${category}`, String(i)],
      ["SADD", `category:${category}:dishes`, String(i)],
      ["ZADD", `dish:dates:${category}`, String(Date.parse(dish.addedAt)), String(i)],
    ])
  }
  await send(driver, [
    ["SET", "dish:counter", "40"],
    ["SET", "category:counter", "4"],
  ])
}

const damage = (driver: Driver) =>
  send(driver, [
    ["SREM", "dish:index:category:2", "1"],
    ["SADD", "category:3:dishes", "ghost"],
    ["SREM", "dish:list", "7"],
    ["SET", "lock:1", "1"],
    ["PEXPIRE", "dish:9", "900000"],
  ])

const repair = (driver: Driver) =>
  send(driver, [
    ["SREM", "category:3:dishes", "ghost"],
    ["DEL", "lock:1"],
    ["PERSIST", "dish:9"],
  ])
