/* Our own connection to a cluster: against the same node alone, and against other cluster clients at 500 concurrent calls */

import { Cluster } from "ioredis"
import { createCluster } from "redis"
import { clusterSlot } from "../../packages/keywright/src/driver/cluster-slot.ts"
import type { Driver } from "../../packages/keywright/src/driver/driver.ts"
import { openResp, openServer } from "../../packages/keywright/src/driver/resp/open-resp.ts"
import { startCluster, startClusterNode } from "../../test/redis-cluster.ts"
import type { Bench } from "./harness.ts"

const CONCURRENT = 500
const KEYS = Array.from({ length: 1000 }, (_, i) => `bench:${i}`)

export default async function (bench: Bench): Promise<void> {
  slots(bench)
  await oneNode(bench)
  await threePrimaries(bench)
}

function slots(bench: Bench): void {
  const rounds = 2000
  const started = performance.now()
  let sum = 0
  for (let round = 0; round < rounds; round++) for (const key of KEYS) sum += clusterSlot(key)
  const microseconds = ((performance.now() - started) * 1000) / (rounds * KEYS.length)
  if (sum === 0) throw new Error("no slots were computed")
  bench.report("the slot of a key", microseconds, "<=0.3", "µs")
}

/** What the router costs: the same server, with and without it. */
async function oneNode(bench: Bench): Promise<void> {
  const server = await startClusterNode()
  const node = openResp(server.url)
  const routed = openServer(server.url)
  try {
    await fill(routed)
    for (const concurrency of [1, CONCURRENT])
      await bench.compare({
        name: `GET, ${concurrency} at once, against the node alone`,
        goal: ">=0.93",
        concurrency,
        ours: each((key) => routed.send(["GET", key])),
        theirs: each((key) => node.send(["GET", key])),
      })
  } finally {
    await routed.close()
    await node.close()
    await server.stop()
  }
}

async function threePrimaries(bench: Bench): Promise<void> {
  const cluster = await startCluster()
  const [first] = cluster.nodes
  const driver = openServer(first!.url)
  const nodeRedis = createCluster({ rootNodes: [{ url: first!.url }] })
  nodeRedis.on("error", () => undefined)
  await nodeRedis.connect()
  const ioredis = new Cluster([{ host: "127.0.0.1", port: first!.port }])
  try {
    await fill(driver)
    const get = each((key) => driver.send(["GET", key]))
    const add = each((key) => driver.send(["ZADD", `z${key}`, "1", "member"]))
    const others = [
      ["GET against node-redis 6 cluster", ">=3", get, each((key) => nodeRedis.get(key))],
      ["GET against ioredis 6 cluster", ">=2", get, each((key) => ioredis.get(key))],
      [
        "ZADD against node-redis 6 cluster",
        ">=3",
        add,
        each((key) => nodeRedis.zAdd(`z${key}`, { score: 1, value: "member" })),
      ],
      ["ZADD against ioredis 6 cluster", ">=2", add, each((key) => ioredis.zadd(`z${key}`, 1, "member"))],
    ] as const
    for (const [name, goal, ours, theirs] of others)
      await bench.compare({ name, goal, concurrency: CONCURRENT, ours, theirs })
  } finally {
    await driver.close()
    nodeRedis.destroy()
    ioredis.disconnect()
    await cluster.stop()
  }
}

/** The keys in turn. */
function each<T>(call: (key: string) => Promise<T>): () => Promise<T> {
  let i = 0
  return () => call(KEYS[i++ % KEYS.length]!)
}

const fill = (driver: Driver) => driver.batch(KEYS.map((key) => ["SET", key, "0123456789abcdef"]))
