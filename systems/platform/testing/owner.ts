/* Which node of a test's cluster has a key, and waiting for another one to have it. */

import type { RealRedis } from "../../../test/real-redis.ts"
import type { RealCluster } from "../../../test/redis-cluster.ts"
import { RespClient } from "../../../test/resp-client.ts"

type Range = [from: number, to: number, primary: [host: string, port: number]]

/** The primary of a key, as any other node sees it; undefined while there is none. */
export async function primaryOf(cluster: RealCluster, key: string, gone?: RealRedis): Promise<RealRedis | undefined> {
  const asked = cluster.nodes.find((node) => node !== gone)!
  const client = await RespClient.connect(asked.port)
  try {
    const slot = (await client.send("CLUSTER", "KEYSLOT", key)) as number
    const ranges = (await client.send("CLUSTER", "SLOTS")) as unknown as Range[]
    const found = ranges.find(([from, to]) => slot >= from && slot <= to)
    return cluster.nodes.find(({ port }) => port === found?.[2][1])
  } finally {
    client.close()
  }
}

/** Whether a primary has a replica that could take its place. */
async function hasReplica({ port }: RealRedis): Promise<boolean> {
  const client = await RespClient.connect(port)
  try {
    return /state=online/.test(String(await client.send("INFO", "replication")))
  } finally {
    client.close()
  }
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 50))

/** Kills the primary of a key, waits until a replica has its place, and starts it again. */
export async function killPrimaryOf(cluster: RealCluster, key: string): Promise<void> {
  const killed = (await primaryOf(cluster, key))!
  while (!(await hasReplica(killed))) await soon()
  await killed.kill9()
  for (let next: RealRedis | undefined = killed; next === killed || next === undefined;) {
    await soon()
    next = await primaryOf(cluster, key, killed)
  }
  await killed.restart()
}
