/* One suite over every driver and protocol, on a real server. */

import { createClient, createClientPool, createCluster } from "redis"
import {
  createClient as createClient5,
  createClientPool as createClientPool5,
  createCluster as createCluster5,
} from "redis-5"
import { Cluster, Redis } from "ioredis"
import { Cluster as Cluster5, Redis as Redis5 } from "ioredis-5"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Engine, start } from "@keywright/embedded"
import { needs } from "../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../test/real-redis.ts"
import { type RealCluster, startClusterNode, startPrimaries } from "../../../../test/redis-cluster.ts"
import { type RealSentinels, startSentinels } from "../../../../test/redis-sentinel.ts"
import { callCases } from "./conformance-calls.cases.ts"
import { Refusal, replyCases } from "./conformance.cases.ts"
import type { Driver, Reply } from "./driver.ts"
import { embeddedDriver } from "./embedded.ts"
import { findDriver } from "./find-driver.ts"
import { openResp, openServer } from "./resp/open-resp.ts"

let server: RealRedis
let cluster: RealRedis
let primaries: RealCluster
let sentinels: RealSentinels
let engine: Engine
const closing: (() => unknown)[] = []

/** Node-redis is connected by its owner, who also closes it. */
async function connected<C extends { connect(): Promise<unknown>; destroy(): void }>(client: C): Promise<Driver> {
  await client.connect()
  closing.push(() => client.destroy())
  return findDriver({ client })
}

function ioredis(client: { disconnect(): void }): Driver {
  closing.push(() => client.disconnect())
  return findDriver({ client })
}

const onError = <C extends { on(event: "error", listener: () => void): unknown }>(client: C): C => {
  client.on("error", () => undefined)
  return client
}
const rootNodes = () => [{ url: cluster.url }]
const startup = () => [{ host: "127.0.0.1", port: cluster.port }]

const DRIVERS: Readonly<Record<string, () => Driver | Promise<Driver>>> = {
  "own connection, RESP2": () => openResp(server.url, { protocol: 2 }),
  "own connection, RESP3": () => openResp(server.url, { protocol: 3 }),
  "own connection, cluster": () => openServer(cluster.url),
  "own connection, cluster, RESP2": () => openServer(cluster.url, { protocol: 2 }),
  "own connection, cluster of three primaries": () => openServer(primaries.nodes[1]!.url),
  "own connection, Sentinel": () => openServer(sentinels.url),
  "own connection, unix socket": () => openResp(`unix://${server.unixSocket}`),
  "embedded, RESP2": () => embeddedDriver(engine, { protocol: 2 }),
  "embedded, RESP3": () => embeddedDriver(engine),
  "node-redis 6, RESP2": () => connected(onError(createClient({ url: server.url, RESP: 2 }))),
  "node-redis 6, RESP3": () => connected(onError(createClient({ url: server.url, RESP: 3 }))),
  "node-redis 5, pool": () => connected(onError(createClientPool5({ url: server.url }))),
  "node-redis 6, pool": () => connected(onError(createClientPool({ url: server.url }))),
  "node-redis 6, cluster": () => connected(onError(createCluster({ rootNodes: rootNodes() }))),
  "node-redis 5, RESP2": () => connected(onError(createClient5({ url: server.url }))),
  "node-redis 5, RESP3": () => connected(onError(createClient5({ url: server.url, RESP: 3 }))),
  "node-redis 5, cluster": () => connected(onError(createCluster5({ rootNodes: rootNodes() }))),
  "ioredis 6": () => ioredis(onError(new Redis(server.url))),
  "ioredis 6, RESP2": () => ioredis(onError(new Redis(server.port, { protocol: 2 }))),
  "ioredis 6, stringNumbers": () => ioredis(onError(new Redis(server.port, { stringNumbers: true, protocol: 2 }))),
  "ioredis 6, cluster": () => ioredis(onError(new Cluster(startup()))),
  "ioredis 5": () => ioredis(onError(new Redis5(server.url))),
  "ioredis 5, cluster": () => ioredis(onError(new Cluster5(startup()))),
}

describe.runIf(needs("redis-server"))("conformance", () => {
  beforeAll(async () => {
    server = await startRedis({ unixSocket: true })
    cluster = await startClusterNode()
    // Nothing is replaced here, however slow the machine is.
    sentinels = await startSentinels(600_000)
    primaries = await startPrimaries(3)
    engine = await start()
  })

  afterAll(async () => {
    for (const close of closing) await close()
    await Promise.all([server?.stop(), cluster?.stop(), primaries?.stop(), sentinels?.stop(), engine?.stop()])
  })

  for (const [name, make] of Object.entries(DRIVERS)) {
    describe(name, () => {
      const inCluster = name.includes("cluster")
      let driver: Driver

      beforeAll(async () => {
        driver = await make()
        await driver.send(["PING"], { timeoutMs: 10_000 })
        for (const primary of await driver.primaries()) await primary.send(["FLUSHALL"])
      })
      afterAll(() => driver?.close())

      for (const [i, { name: title }] of replyCases("").entries()) {
        test(title, async () => {
          const case_ = replyCases(`{case${i}}`)[i]
          if (case_ === undefined) return
          for (const command of case_.before) await driver.send(command)
          const reply = driver.send(case_.command, { timeoutMs: 10_000, ...case_.options })
          if (!(case_.reply instanceof Refusal)) return expect(comparable(await reply)).toEqual(comparable(case_.reply))
          const error = await reply.catch((caught: unknown) => caught)
          expect(error).toBeInstanceOf(case_.reply.type)
          expect(error).toHaveProperty("code", case_.reply.code)
        })
      }

      for (const [i, { name: title, run, standalone, oneConnection, ownConnection }] of callCases.entries()) {
        const unfit =
          (standalone && inCluster) ||
          (oneConnection && name.includes("pool")) ||
          (ownConnection && inCluster && name.includes("redis"))
        if (!unfit) test(title, () => run(driver, `{call${i}}`))
      }
    })
  }
})

/** Bytes as text: comparing 10 MB element by element takes minutes. */
function comparable(reply: Reply): unknown {
  if (reply instanceof Uint8Array) return { bytes: Buffer.from(reply).toString("latin1") }
  return Array.isArray(reply) ? reply.map(comparable) : reply
}
