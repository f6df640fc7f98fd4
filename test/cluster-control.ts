/* What is done to a real cluster from outside: who is primary, when it is calm, slots that move. */

import { setTimeout as sleep } from "node:timers/promises"
import { clusterSlot } from "../packages/keywright/src/driver/cluster-slot.ts"
import type { Driver } from "../packages/keywright/src/driver/driver.ts"
import { openResp } from "../packages/keywright/src/driver/resp/open-resp.ts"
import { askServer } from "./ask-server.ts"
import type { RealRedis } from "./real-redis.ts"
import type { RealCluster } from "./redis-cluster.ts"

export interface Roles {
  /** That own slots and are not known to have failed. */
  readonly primaries: readonly RealRedis[]
  replicaOf(node: RealRedis): RealRedis | undefined
  ownerOf(slot: number): RealRedis | undefined
}

/** As a node that answers sees them. */
export async function rolesOf({ nodes }: RealCluster): Promise<Roles> {
  return rolesIn(await Promise.any(nodes.map(({ port }) => askServer(port, "CLUSTER", "NODES"))), nodes)
}

/**
 * Who has a slot, when all nodes say the same, and know how new it is. A slot that moves on before that may end with two
 * nodes that each take the other for its owner.
 */
export async function agreedOwner({ nodes }: RealCluster, slot: number): Promise<RealRedis> {
  for (;;) {
    const views = await Promise.all(nodes.map(({ port }) => askServer(port, "CLUSTER", "NODES")))
    const owners = new Set(views.map((text) => rolesIn(text, nodes).ownerOf(slot)))
    const [owner] = owners
    if (new Set(views.map(epochsIn)).size === 1 && owners.size === 1 && owner !== undefined) return owner
    await sleep(20)
  }
}

const epochsIn = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.split(" "))
    .map(([id, , , , , , epoch]) => `${id} ${epoch}`)
    .toSorted()
    .join()

/** In a node's answer to CLUSTER NODES. */
function rolesIn(text: string, nodes: readonly RealRedis[]): Roles {
  const lines = text.split("\n").map((line) => line.split(" "))
  const nodeAt = (place: string) => nodes.find(({ port }) => place.includes(`:${port}@`))!
  const isFailed = (flags: string) => /fail/.test(flags)
  const primaries = lines.filter(([, , flags, ...words]) => flags!.includes("master") && !isFailed(flags!) && words[5])
  return {
    primaries: primaries.map(([, place]) => nodeAt(place!)),
    replicaOf: (node) => {
      const id = lines.find(([, place]) => nodeAt(place!) === node)?.[0]
      const found = lines.find(([, , flags, primary]) => primary === id && !isFailed(flags!))
      return found && nodeAt(found[1]!)
    },
    ownerOf: (slot) => {
      const found = primaries.find((words) =>
        words.slice(8).some((word) => {
          const [from, to = from] = word.split("-").map(Number)
          return from! <= slot && slot <= to!
        }),
      )
      return found && nodeAt(found[1]!)
    },
  }
}

/**
 * Until a replica has taken over from a primary that was killed, in one view of the cluster. One that comes back before
 * that, without its data, is still the primary, and its replica becomes as empty as it is.
 */
export async function untilReplaced(cluster: RealCluster, killed: RealRedis, count = 3): Promise<void> {
  for (;;) {
    const { primaries } = await rolesOf(cluster)
    if (primaries.length === count && !primaries.includes(killed)) return
    await sleep(50)
  }
}

/** One of the primaries gives its place to its replica, and nothing is lost. */
export async function failOver(cluster: RealCluster): Promise<void> {
  const roles = await rolesOf(cluster)
  const primary = anyOf(roles.primaries)
  // On a busy machine a replica may give up before its primary has heard of it: it is asked again then.
  for (let i = 0; (await rolesOf(cluster)).primaries.includes(primary); i++) {
    if (i % 200 === 0) await askServer(roles.replicaOf(primary)!.port, "CLUSTER", "FAILOVER")
    await sleep(50)
  }
}

/** One of the primaries is killed, and comes back as a replica once it was replaced. */
export async function killAndReplace(cluster: RealCluster): Promise<void> {
  const killed = anyOf((await rolesOf(cluster)).primaries)
  await untilFollowed(killed)
  await killed.kill9()
  await untilReplaced(cluster, killed)
  await killed.restart()
}

/** Until its replica has what it has now: on a busy machine, one that is connected may be seconds behind. */
async function untilFollowed({ port }: RealRedis): Promise<void> {
  const numberIn = async (found: RegExp) => Number(found.exec(await askServer(port, "INFO", "replication"))?.[1] ?? 0)
  const now = await numberIn(/^master_repl_offset:(\d+)/m)
  while ((await numberIn(/^slave0:.*state=online,offset=(\d+)/m)) < now) await sleep(20)
}

const anyOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)]!

/** Until there are this many primaries, all nodes agree who follows whom, and every replica follows. */
export async function untilCalm(cluster: RealCluster, primaries = 3): Promise<void> {
  for (;;) {
    try {
      const ask = (...words: string[]) => Promise.all(cluster.nodes.map(({ port }) => askServer(port, ...words)))
      const views = (await ask("CLUSTER", "NODES")).map((text) => rolesIn(text, cluster.nodes))
      const infos = await ask("CLUSTER", "INFO")
      const states = await ask("INFO", "replication")
      const isCalm =
        views.every((roles) => roles.primaries.length === primaries && roles.primaries.every(roles.replicaOf)) &&
        new Set(
          views.map((roles) =>
            roles.primaries
              .map(({ port }) => port)
              .toSorted()
              .join(),
          ),
        ).size === 1 &&
        infos.every((info) => /cluster_state:ok/.test(info) && /cluster_slots_fail:0/.test(info)) &&
        states.every((state) => /master_link_status:up|connected_slaves:[1-9]/.test(state))
      if (isCalm) return
    } catch {
      // A node is on its way up.
    }
    await sleep(50)
  }
}

export interface MoveOptions {
  /** Keys that are moved together. */
  readonly atOnce?: number
  /** Where the target takes keys; of one that speaks TLS with other nodes, that port. Default: its port. */
  readonly port?: number
  /** Called after each of them. */
  readonly meanwhile?: () => Promise<void>
}

/** Moves a slot with all its keys, a few at a time, as redis-cli does it. */
export async function moveSlot(
  slot: number,
  from: RealRedis,
  to: RealRedis,
  others: readonly RealRedis[] = [],
  { atOnce = 5, port = to.port, meanwhile = () => Promise.resolve() }: MoveOptions = {},
): Promise<void> {
  const nodes = [to, from, ...others].map(({ url }) => openResp(url, { timeoutMs: 30_000 }))
  const [target, source] = nodes as [Driver, Driver]
  const [targetId, sourceId] = (await Promise.all([target, source].map((one) => one.send(["CLUSTER", "MYID"])))) as [
    string,
    string,
  ]
  try {
    await target.send(["CLUSTER", "SETSLOT", String(slot), "IMPORTING", sourceId])
    await source.send(["CLUSTER", "SETSLOT", String(slot), "MIGRATING", targetId])
    for (;;) {
      const keys = (await source.send(["CLUSTER", "GETKEYSINSLOT", String(slot), String(atOnce)])) as string[]
      if (keys.length === 0) break
      await source.send(["MIGRATE", "127.0.0.1", String(port), "", "0", "5000", "KEYS", ...keys])
      await meanwhile()
    }
    for (const node of nodes) await node.send(["CLUSTER", "SETSLOT", String(slot), "NODE", targetId])
  } finally {
    await Promise.all(nodes.map((node) => node.close()))
  }
}

/** Moves a key of a cluster of two primaries to the other one; its slot, only if the move is to end. */
export async function moveKey(key: string, { nodes: [one, other] }: RealCluster, isEnded: boolean): Promise<void> {
  const slot = String(clusterSlot(key))
  const isAtOne = (await askServer(one!.port, "EXISTS", key)) === "1"
  const [from, to] = isAtOne ? [one!, other!] : [other!, one!]
  const [fromId, toId] = await Promise.all([from, to].map(({ port }) => askServer(port, "CLUSTER", "MYID")))
  /** A node may still have to hear where the slot went the last time. */
  const asked = async (port: number, ...words: string[]): Promise<unknown> => {
    for (let tries = 0; ; tries++) {
      const answer = await askServer(port, ...words)
      if (answer === "OK" || tries === 100) return answer
      await sleep(50)
    }
  }
  const said = [
    await asked(to.port, "CLUSTER", "SETSLOT", slot, "IMPORTING", fromId!),
    await asked(from.port, "CLUSTER", "SETSLOT", slot, "MIGRATING", toId!),
    await askServer(from.port, "MIGRATE", "127.0.0.1", String(to.port), key, "0", "5000"),
  ]
  for (const { port } of isEnded ? [to, from] : [])
    said.push(await asked(port, "CLUSTER", "SETSLOT", slot, "NODE", toId!))
  const refusal = said.find((answer) => answer !== "OK")
  if (refusal !== undefined) throw new Error(`${key} was not moved: ${String(refusal)}`)
}
