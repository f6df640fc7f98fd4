/* Subscriptions beside a client that was handed in: whatever happens to their connections, and whatever
 * that client does about its own, they hear again, and say that there was a gap. */

import { Cluster, Redis } from "ioredis"
import { Redis as Redis5 } from "ioredis-5"
import { createClient, createCluster } from "redis"
import { createClient as createClient5 } from "redis-5"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { startPrimaries } from "../../../../../test/redis-cluster.ts"
import { type Proxy, startProxy } from "../../../../../test/tcp-proxy.ts"
import { until } from "../../../../../test/until.ts"
import type { Driver } from "../driver.ts"
import { findDriver } from "../find-driver.ts"

vi.setConfig({ testTimeout: 60_000 })

interface Opened {
  readonly client: object
  end(): void
}

const nodeRedis = async (client: ReturnType<typeof createClient> | ReturnType<typeof createClient5>) => {
  client.on("error", () => undefined)
  await client.connect()
  const end = () => {
    if (client.isOpen) client.destroy()
  }
  return { client, end }
}
const ioredis = async (client: Redis | Redis5) => {
  client.on("error", () => undefined)
  return { client, end: () => client.disconnect() }
}
/** None of them connects again by itself. */
const CLIENTS: Readonly<Record<string, (url: string) => Promise<Opened>>> = {
  "node-redis 6": (url) => nodeRedis(createClient({ url, socket: { reconnectStrategy: false } })),
  "node-redis 5": (url) => nodeRedis(createClient5({ url, socket: { reconnectStrategy: false } })),
  "ioredis 6": (url) => ioredis(new Redis(url, { retryStrategy: () => null, enableOfflineQueue: false })),
  "ioredis 5": (url) => ioredis(new Redis5(url, { retryStrategy: () => null, maxRetriesPerRequest: 0 })),
}

let redis: RealRedis
let proxy: Proxy
let opened: Opened
let driver: Driver
/** Not by way of the proxy. */
let publisher: Redis
const unhandled: unknown[] = []
const onUnhandled = (error: unknown) => void unhandled.push(error)

beforeEach(async () => {
  redis = await startRedis()
  proxy = await startProxy(redis.port)
  publisher = new Redis(redis.url)
  unhandled.length = 0
  process.on("unhandledRejection", onUnhandled)
})
afterEach(async () => {
  await driver.close()
  opened.end()
  publisher.disconnect()
  await proxy.close()
  await redis.stop()
  process.off("unhandledRejection", onUnhandled)
  expect(unhandled).toEqual([])
})

/** The older versions of the libraries take the same paths: they are for the full run. */
const chosen = Object.entries(CLIENTS).filter(([name]) => isFull || name.endsWith("6"))

describe.each(chosen)("beside %s", (_name, open) => {
  const subscribe = async () => {
    opened = await open(proxy.url)
    driver = findDriver({ client: opened.client, timeoutMs: 1000 })
    const heard: string[] = []
    const told: string[] = []
    const subscription = await driver.subscribe({
      channels: ["news", "more"],
      patterns: ["n?*s.*"],
      onMessage: ({ channel, text }) => void heard.push(`${channel} ${text}`),
      onGap: () => void told.push("gap"),
      onRefused: (error) => void told.push((error as { code?: string }).code ?? error.message),
    })
    const hears = (text: string) =>
      until(async () => {
        const channels = ["news", "more", "news.x"]
        for (const channel of channels) await publisher.publish(channel, text)
        return channels.every((channel) => heard.includes(`${channel} ${text}`))
      })
    await hears("at first")
    return { subscription, heard, told, hears }
  }

  test("hears again after each cut, though the client itself does not connect again", async () => {
    const { told, hears } = await subscribe()
    for (const round of [1, 2, 3]) {
      proxy.reset()
      await hears(`after ${round}`)
      await until(() => told.length >= round)
    }
    expect(told).toEqual(["gap", "gap", "gap"])
  })

  test("hears what follows a message that its listener cannot take, and warns of that", async () => {
    opened = await open(proxy.url)
    driver = findDriver({ client: opened.client })
    const heard: string[] = []
    const warnings: string[] = []
    const note = ({ message }: Error) => void warnings.push(message)
    process.on("warning", note)
    let gaps = 0
    await driver.subscribe({
      channels: ["news"],
      onMessage: ({ text }) => void heard.push(JSON.parse(text)),
      onGap: () => void gaps++,
    })
    for (const text of ["{", "{", '"fine"']) await publisher.publish("news", text)
    await until(() => heard.length === 1 && warnings.length === 2)
    process.off("warning", note)
    expect([heard, gaps]).toEqual([["fine"], 0])
    expect(warnings[0]).toMatch(/^onMessage of a subscription failed: SyntaxError/)
  })

  test("notices that the server has gone silent", async () => {
    const { told, hears } = await subscribe()
    proxy.goSilent()
    proxy.speakAgain()
    await hears("after the silence")
    await until(() => told.length > 0)
    expect(told).toEqual(["gap"])
  })

  test("hears again after the server was killed and started again", async () => {
    const { told, hears } = await subscribe()
    await redis.kill9()
    await redis.restart()
    await hears("after the restart")
    await until(() => told.length > 0)
    expect(told).toEqual(["gap"])
  })

  test("says once that it is refused, and hears again when it is not", async () => {
    const { told, hears } = await subscribe()
    await publisher.acl("SETUSER", "default", "resetchannels", "&more") // Ends its connection.
    await until(async () => String(await publisher.acl("LOG")).includes("news"))
    await until(() => told.length > 0)
    await publisher.acl("SETUSER", "default", "allchannels")
    await hears("allowed again")
    await until(() => told.length > 1)
    expect(told).toEqual(["SERVER.NOPERM", "gap"])
  })

  test("is refused at the start with the server's error", async () => {
    opened = await open(proxy.url)
    driver = findDriver({ client: opened.client, timeoutMs: 1000 })
    await publisher.acl("SETUSER", "default", "resetchannels")
    const subscribing = driver.subscribe({ channels: ["news"], onMessage: () => undefined })
    await expect(subscribing).rejects.toMatchObject({ name: "Refused", code: "SERVER.NOPERM" })
    await until(async () => String(await publisher.call("CLIENT", "LIST", "TYPE", "pubsub")) === "")
  })

  test("leaves nothing behind, whenever it is closed", async () => {
    const { subscription } = await subscribe()
    proxy.reset()
    await subscription.close() // While it waits for another connection.
    const rounds = Array.from({ length: 30 }, async (_, i) => {
      const one = await driver.subscribe({ channels: ["news"], onMessage: () => undefined })
      if (i % 2 === 0) proxy.reset()
      await new Promise((resolve) => setTimeout(resolve, i))
      await one.close()
    })
    await Promise.allSettled(rounds)
    await until(async () => String(await publisher.call("CLIENT", "LIST", "TYPE", "pubsub")) === "")
  })

  test("is not begun on a driver that is closed", async () => {
    const { told } = await subscribe()
    await driver.close()
    await expect(driver.subscribe({ channels: ["news"], onMessage: () => undefined })).rejects.toMatchObject({
      code: "DRIVER.CLOSED",
    })
    await until(async () => String(await publisher.call("CLIENT", "LIST", "TYPE", "pubsub")) === "")
    expect(told).toEqual([])
  })
})

const CLUSTERS: Readonly<Record<string, (ports: readonly number[]) => Promise<Opened>>> = {
  async "node-redis 6"(ports) {
    const client = createCluster({ rootNodes: ports.map((port) => ({ url: `redis://127.0.0.1:${port}` })) })
    client.on("error", () => undefined)
    await client.connect()
    return { client, end: () => client.destroy() }
  },
  async "ioredis 6"(ports) {
    const client = new Cluster(ports.map((port) => ({ host: "127.0.0.1", port })))
    client.on("error", () => undefined)
    return { client, end: () => client.disconnect() }
  },
}

test.each(Object.entries(CLUSTERS))(
  "beside a cluster client of %s: leaves a node that is gone",
  async (_name, open) => {
    const cluster = await startPrimaries(3, ["--cluster-require-full-coverage", "no"])
    opened = await open(cluster.nodes.map(({ port }) => port))
    driver = findDriver({ client: opened.client, timeoutMs: 5000 })
    const heard: string[] = []
    const told: string[] = []
    await driver.subscribe({
      channels: ["news"],
      onMessage: ({ text }) => void heard.push(text),
      onGap: () => void told.push("gap"),
    })
    const askers = cluster.nodes.map(({ url }) => new Redis(url, { retryStrategy: () => null }))
    for (const asker of askers) asker.on("error", () => undefined)
    const listeners = await Promise.all(askers.map((asker) => asker.pubsub("NUMSUB", "news")))
    const at = listeners.findIndex(([, count]) => count === 1)
    await cluster.nodes[at]!.kill9()
    await until(async () => {
      await askers[(at + 1) % 3]!.publish("news", "after the loss")
      return heard.includes("after the loss") && told.length > 0
    })
    expect(told).toEqual(["gap"])
    for (const asker of askers) asker.disconnect()
    await driver.close()
    await cluster.stop()
  },
)

test.each(Object.entries(CLUSTERS))(
  "beside a cluster client of %s: refuses what depends on the node of a key",
  async (_name, open) => {
    const cluster = await startPrimaries(3)
    opened = await open(cluster.nodes.map(({ port }) => port))
    driver = findDriver({ client: opened.client })
    const onMessage = () => undefined
    for (const call of [
      driver.dedicated(),
      driver.subscribe({ channels: ["news", "__keyevent@0__:set"], onMessage }),
      driver.subscribe({ patterns: ["__key*"], onMessage }),
    ])
      await expect(call).rejects.toMatchObject({ name: "Refused", code: "DRIVER.CLUSTER_CLIENT" })
    await driver.close()
    await cluster.stop()
  },
)
