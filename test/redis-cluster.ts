/* A real Redis Cluster for tests: three primaries and a replica of each, on loopback.
 * Ask needs("redis-server") first. */

import { execFileSync } from "node:child_process"
import { askServer } from "./ask-server.ts"
import { freePort, startRedis, type RealRedis } from "./real-redis.ts"

export interface RealCluster {
  readonly nodes: readonly RealRedis[]
  stop(): Promise<void>
}

/** The bus of a node listens at its port + 10000, which has to be a port too. */
const HIGHEST_PORT = 55_000

/** On a port of which the bus's port is free, too: others on this machine take ports at any time. */
export async function startNode(args: readonly string[], program = "redis-server"): Promise<RealRedis> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    if (port > HIGHEST_PORT) continue
    try {
      return await startRedis({ port, args, program })
    } catch (error) {
      if (attempt === 20 || !String(error).includes("Address already in use")) throw error
    }
  }
}

/** `more` is more of the command line, and counts against what is usual. */
export async function startCluster(more: readonly string[] = []): Promise<RealCluster> {
  const nodes: RealRedis[] = []
  const usual = ["--cluster-enabled", "yes", "--cluster-node-timeout", "5000", "--cluster-announce-ip", "127.0.0.1"]
  const args = [...usual, ...more]
  const stop = async () => void (await Promise.all(nodes.map((node) => node.stop())))
  try {
    while (nodes.length < 6) nodes.push(await startNode(args))
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`)
    execFileSync("redis-cli", ["--cluster", "create", ...addresses, "--cluster-replicas", "1", "--cluster-yes"])
    await untilReady({ nodes })
  } catch (error) {
    await stop()
    throw error
  }
  return { nodes, stop }
}

/** All nodes of a cluster see all slots served. */
export async function untilReady({ nodes }: Pick<RealCluster, "nodes">): Promise<void> {
  const areReady = async () => (await Promise.all(nodes.map(({ port }) => isReady(port, nodes.length)))).every(Boolean)
  while (!(await areReady())) await new Promise((resolve) => setTimeout(resolve, 50))
}

/** Primaries without replicas that share the slots equally: there within half a second. */
export async function startPrimaries(
  count: number,
  more: readonly string[] = [],
  program?: string,
): Promise<RealCluster> {
  const nodes: RealRedis[] = []
  const usual = ["--cluster-enabled", "yes", "--cluster-node-timeout", "15000", "--cluster-announce-ip", "127.0.0.1"]
  const stop = async () => void (await Promise.all(nodes.map((node) => node.stop())))
  try {
    while (nodes.length < count) nodes.push(await startNode([...usual, ...more], program))
    await joinPrimaries(nodes.map(({ port }) => ({ port, met: port })))
    await untilReady({ nodes })
  } catch (error) {
    await stop()
    throw error
  }
  return { nodes, stop }
}

/** A cluster of one node that has all slots. */
export const startClusterNode = async (more: readonly string[] = [], program?: string): Promise<RealRedis> =>
  (await startPrimaries(1, more, program)).nodes[0]!

const SLOTS = 16_384

/** Nodes that know nothing of each other become a cluster whose slots they share equally, in this order. `met`: the port
 * by which the others find the first. */
export async function joinPrimaries(nodes: readonly { readonly port: number; readonly met: number }[]): Promise<void> {
  const share = Math.ceil(SLOTS / nodes.length)
  for (const [i, { port }] of nodes.entries()) {
    await askServer(port, "CLUSTER", "SET-CONFIG-EPOCH", String(i + 1))
    const last = Math.min((i + 1) * share, SLOTS) - 1
    await askServer(port, "CLUSTER", "ADDSLOTSRANGE", String(i * share), String(last))
    if (i > 0) await askServer(port, "CLUSTER", "MEET", "127.0.0.1", String(nodes[0]!.met))
  }
}

/** All slots are covered, and this node knows all others. */
async function isReady(port: number, count: number): Promise<boolean> {
  const info = await askServer(port, "CLUSTER", "INFO")
  return (
    info.includes("cluster_state:ok") &&
    info.includes("cluster_slots_ok:16384") &&
    info.includes(`cluster_known_nodes:${count}`)
  )
}
