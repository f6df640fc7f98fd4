/* A real cluster of three nodes, whose slots move from one to another while
 * cluster connections, our own and injected ones, increment two keys of one slot in a script, in a
 * transaction and one by one: MOVED, ASK and TRYAGAIN all happen. */

import { Cluster } from "ioredis"
import { Cluster as Cluster5 } from "ioredis-5"
import { createCluster } from "redis"
import { createCluster as createCluster5 } from "redis-5"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isFull } from "../../../../test/full.ts"
import { needs } from "../../../../test/needs.ts"
import type { RealRedis } from "../../../../test/real-redis.ts"
import { startPrimaries } from "../../../../test/redis-cluster.ts"
import { scanKeys } from "../client/call/scan.ts"
import { clusterSlot } from "./cluster-slot.ts"
import type { Command, Driver } from "./driver.ts"
import { add, NONE, type Tally, tally } from "./faults-subjects.cases.ts"
import { findDriver } from "./find-driver.ts"
import { openResp, openServer } from "./resp/open-resp.ts"
import { scriptOf } from "./script.ts"
import { quiet } from "../../../../test/quiet-client.ts"

const both = scriptOf("both", "redis.call('INCR', KEYS[1]) return redis.call('INCR', KEYS[2])")
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** How often a cluster client of ioredis follows a slot, before it leaves that to us: 16 times by default. */
const FEW = { maxRedirections: 2 }

describe.runIf(needs("redis-server"))("a cluster whose slots move", () => {
  const servers: RealRedis[] = []
  const nodes: Driver[] = []
  const ids: string[] = []

  beforeAll(async () => {
    servers.push(...(await startPrimaries(3, ["--cluster-node-timeout", "5000"])).nodes)
    for (const { url } of servers) {
      const node = openResp(url, { timeoutMs: 10_000 })
      ids.push(String(await node.send(["CLUSTER", "MYID"])))
      nodes.push(node)
    }
  })
  afterAll(async () => {
    for (const node of nodes) await node.close()
    for (const server of servers) await server.stop()
  })

  const owners = new Map<number, number>()
  const ownerOf = (slot: number) => owners.get(slot) ?? Math.floor(slot / Math.ceil(16384 / 3))

  /** Moves a slot to the next node, slowly: one key now, the other a little later. */
  async function move(slot: number): Promise<void> {
    const from = ownerOf(slot)
    const to = (from + 1) % 3
    const [source, target, port] = [nodes[from] as Driver, nodes[to] as Driver, String(servers[to]?.port)]
    await target.send(["CLUSTER", "SETSLOT", String(slot), "IMPORTING", ids[from] as string])
    await source.send(["CLUSTER", "SETSLOT", String(slot), "MIGRATING", ids[to] as string])
    const keys = (await source.send(["CLUSTER", "GETKEYSINSLOT", String(slot), "100"])) as string[]
    for (const key of keys) {
      await source.send(["MIGRATE", "127.0.0.1", port, key, "0", "5000"])
      await pause(15)
    }
    for (const node of [target, source, ...nodes]) {
      await node.send(["CLUSTER", "SETSLOT", String(slot), "NODE", ids[to] as string])
    }
    owners.set(slot, to)
  }

  const startup = () => [{ host: "127.0.0.1", port: servers[0]?.port as number }]
  const rootNodes = () => [{ url: servers[0]?.url as string }]
  const nodeRedis = async (client: { connect(): Promise<unknown>; destroy(): void }) => {
    await client.connect()
    return { driver: findDriver({ client }), end: () => client.destroy() }
  }
  const ioredis = (client: { disconnect(): void }) => ({
    driver: findDriver({ client }),
    end: () => client.disconnect(),
  })

  const own = (): { driver: Driver; end: () => void } => {
    const driver = openServer(servers[0]?.url as string)
    return { driver, end: () => undefined }
  }

  for (const [name, make] of Object.entries({
    "own connection": own,
    "node-redis 6": () => nodeRedis(quiet(createCluster({ rootNodes: rootNodes() }))),
    "node-redis 5": () => nodeRedis(quiet(createCluster5({ rootNodes: rootNodes() }))),
    "ioredis 6": () => ioredis(quiet(new Cluster(startup(), FEW))),
    "ioredis 5": () => ioredis(quiet(new Cluster5(startup(), FEW))),
  })) {
    test(`${name}: every call is done, and done once`, async () => {
      const { driver, end } = await make()
      const tag = `{${name}}`
      const slot = clusterSlot(tag)
      const [a, b] = [`${tag}a`, `${tag}b`]
      await driver.send(["SET", a, "0"], { timeoutMs: 10_000 })
      await driver.send(["SET", b, "0"])
      for (const node of nodes) await node.send(["CONFIG", "RESETSTAT"])
      const stop = new AbortController()
      const sums: Tally[] = [NONE, NONE]
      const work = (kind: number, call: () => Promise<unknown>) => async () => {
        while (!stop.signal.aborted) {
          const more = await tally([call()])
          sums[kind] = add(sums[kind] as Tally, more)
        }
      }
      const options = { timeoutMs: 10_000 }
      const workers = [
        ...Array.from({ length: 5 }, () => work(0, () => driver.run(both, [a, b], [], options))),
        ...Array.from({ length: 5 }, () => work(1, () => driver.send(["INCR", `${tag}c`], options))),
      ].map((start) => start())
      for (let i = 0; i < (isFull ? 60 : 9); i++) await move(slot)
      stop.abort()
      await Promise.all(workers)
      const errors = (await Promise.all(nodes.map((node) => node.send(["INFO", "errorstats"])))).join("\n")
      expect(errors).toContain("errorstat_TRYAGAIN")
      expect(errors).toMatch(/errorstat_(MOVED|ASK)/)
      expect(sums).toMatchObject([
        { unknown: 0, notApplied: 0 },
        { unknown: 0, notApplied: 0 },
      ])
      const values = await driver.send(["MGET", a, b, `${tag}c`], { timeoutMs: 10_000 })
      expect(values).toEqual([String(sums[0]?.done), String(sums[0]?.done), String(sums[1]?.done)])
      await driver.close()
      end()
    })

    test(`${name}: a transaction finds the slot that has moved, and is done once`, async () => {
      const { driver, end } = await make()
      const tag = `{multi ${name}}`
      const transaction: Command[] = [
        ["INCR", `${tag}a`],
        ["INCR", `${tag}b`],
      ]
      for (let i = 1; i <= 6; i++) {
        expect(await driver.multi(transaction, { timeoutMs: 5000 })).toEqual([i, i])
        await move(clusterSlot(tag))
      }
      const stop = new AbortController()
      let sum: Tally = { ...NONE, done: 6 }
      const worker = async () => {
        while (!stop.signal.aborted) {
          const more = await tally([driver.multi(transaction, { timeoutMs: 5000 })])
          sum = add(sum, more)
        }
      }
      const workers = Array.from({ length: 5 }, worker)
      for (let i = 0; i < 5; i++) await move(clusterSlot(tag))
      stop.abort()
      await Promise.all(workers)
      expect(sum).toMatchObject({ unknown: 0, notApplied: 0 })
      const both = await driver.send(["MGET", `${tag}a`, `${tag}b`], { timeoutMs: 5000 })
      expect(both).toEqual([String(sum.done), String(sum.done)])
      await driver.close()
      end()
    })
  }

  test("own connection: a walk finds every key that is there throughout, while slots move", async () => {
    const { driver } = own()
    const keys = Array.from({ length: 3000 }, (_, i) => `there:${i}`)
    await driver.batch(keys.map((key) => ["SET", key, "v"]))
    const slots = keys.slice(0, 12).map(clusterSlot)
    const stop = new AbortController()
    const mover = (async () => {
      for (let i = 0; !stop.signal.aborted; i++) await move(slots[i % slots.length]!)
    })()
    for (let round = 0; round < (isFull ? 30 : 6); round++) {
      const found: string[] = []
      for await (const key of scanKeys(driver, "there:*")) found.push(key)
      expect(found.sort()).toEqual([...keys].sort())
    }
    stop.abort()
    await mover
    await driver.close()
  })

  test("walks the keys of all primaries", async () => {
    const { driver, end } = await nodeRedis(quiet(createCluster({ rootNodes: rootNodes() })))
    for (let i = 0; i < 100; i++) await driver.send(["SET", `walk:${i}`, "v"])
    const found = new Set<string>()
    const primaries = await driver.primaries()
    expect(primaries).toHaveLength(3)
    for (const primary of primaries) {
      const [, keys] = (await primary.send(["SCAN", "0", "MATCH", "walk:*", "COUNT", "10000"])) as [string, string[]]
      for (const key of keys) found.add(key)
    }
    expect(found.size).toBe(100)
    await driver.close()
    end()
  })
})
