/* Very large collections of a cluster, read in parts while they move to another node. */

import { expect, it } from "vitest"
import { moveKey } from "../../../../../test/cluster-control.ts"
import { needs } from "../../../../../test/needs.ts"
import { startPrimaries } from "../../../../../test/redis-cluster.ts"
import type { Command } from "../../driver/driver.ts"
import { openServer } from "../../driver/resp/open-resp.ts"
import { readValueParts } from "./key-value.ts"

const COUNT = 110_000
const numbers = (from: number): number[] => Array.from({ length: 10_000 }, (_, i) => from + i)

it.runIf(needs("redis-server"))("are read again where they are", { timeout: 60_000 }, async () => {
  const cluster = await startPrimaries(2)
  const driver = openServer(cluster.nodes[0]!.url, { timeoutMs: 20_000 })
  const kinds: readonly [type: "set" | "hash" | "zset", width: number, write: (from: number) => Command][] = [
    ["set", 1, (from) => ["SADD", "set", ...numbers(from).map((n) => `m${n}`)]],
    ["hash", 2, (from) => ["HSET", "hash", ...numbers(from).flatMap((n) => [`m${n}`, "1"])]],
    ["zset", 2, (from) => ["ZADD", "zset", ...numbers(from).flatMap((n) => ["1", `m${n}`])]],
  ]
  for (const [type, width, write] of kinds) {
    for (let from = 0; from < COUNT; from += 10_000) await driver.send(write(from))
    const found: unknown[] = []
    let parts = 0
    for await (const { elements } of readValueParts(driver, type, type)) {
      found.push(...elements.filter((_, i) => i % width === 0))
      if (++parts === 8) await moveKey(type, cluster, type !== "set")
    }
    expect([found.length, new Set(found).size], type).toEqual([COUNT, COUNT])
  }
  await driver.close()
  await cluster.stop()
})
