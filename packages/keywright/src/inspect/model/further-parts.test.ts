/* Large collections, read in parts while the process that answers is replaced. */

import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { moveKey } from "../../../../../test/cluster-control.ts"
import { needs } from "../../../../../test/needs.ts"
import { type RealCluster, startPrimaries } from "../../../../../test/redis-cluster.ts"
import type { Command, Driver } from "../../driver/driver.ts"
import { openServer } from "../../driver/resp/open-resp.ts"
import { redisTypes } from "../../schema/define.ts"
import type { KeyModel } from "./model.ts"
import { firstRead, furtherParts, partOf, readAs } from "./reading.ts"

const COUNT = 8000
const numbers = Array.from({ length: COUNT }, (_, i) => `m${i}`)
const KINDS: readonly [kind: "set" | "map" | "zset", width: number, write: Command][] = [
  ["set", 1, ["SADD", "set", ...numbers]],
  ["map", 2, ["HSET", "map", ...numbers.flatMap((n) => [n, "1"])]],
  ["zset", 2, ["ZADD", "zset", ...numbers.flatMap((n) => ["1", n])]],
]

describe.runIf(needs("redis-server"))("the parts of a key that moves in a cluster", { timeout: 30_000 }, () => {
  let cluster: RealCluster
  let driver: Driver
  beforeEach(async () => {
    cluster = await startPrimaries(2)
    driver = openServer(cluster.nodes[0]!.url, { timeoutMs: 10_000 })
  })
  afterEach(async () => {
    await driver.close()
    await cluster.stop()
  })

  it.each([0, 2])("are all of its elements, each once: after %d further parts", async (after) => {
    for (const [kind, width, write] of KINDS) {
      await driver.send(write)
      const row = { declared: { kind }, type: redisTypes[kind], bytes: false } as KeyModel
      const first = partOf(row, await readAs(driver, row, firstRead(row, kind)))
      const found = first.elements.filter((_, i) => i % width === 0)
      let parts = 0
      if (after === 0) await moveKey(kind, cluster, true)
      for await (const { elements } of furtherParts(driver, row, kind, first)) {
        found.push(...elements.filter((_, i) => i % width === 0))
        if (++parts === after) await moveKey(kind, cluster, kind !== "set")
      }
      expect([found.length, new Set(found).size], kind).toEqual([COUNT, COUNT])
    }
  })
})
