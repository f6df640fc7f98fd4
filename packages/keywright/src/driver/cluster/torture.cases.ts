/* Six real nodes while everything happens to them that happens to nodes, and callers that
 * count what they were told. What must hold, whatever the order of faults:
 *
 *   every call settles by its deadline
 *   a counter holds at most what was reported done and what is unknown (less than what was
 *     reported: Redis itself loses what a dying primary had not replicated)
 *   after faults by which Redis loses nothing, it holds at least what was reported done
 *   a call that may be repeated fails only when its whole deadline was not enough
 *   two keys that a script writes together are never apart
 *   the nodes are asked who owns what at most ten times a second */

import { execFile } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { askServer } from "../../../../../test/ask-server.ts"
import { moveSlot, rolesOf, untilCalm } from "../../../../../test/cluster-control.ts"
import { watchPauses } from "../../../../../test/machine-pauses.ts"
import { type RealCluster, startCluster, startNode } from "../../../../../test/redis-cluster.ts"
import type { RealRedis } from "../../../../../test/real-redis.ts"
import { NotApplied, OutcomeUnknown } from "../../errors/outcome.ts"
import { clusterSlot } from "../cluster-slot.ts"
import type { Driver } from "../driver.ts"
import { openServer } from "../resp/open-resp.ts"
import { scriptOf } from "../script.ts"

const program = promisify(execFile)
const both = scriptOf("both", "redis.call('INCR', KEYS[1]) return redis.call('INCR', KEYS[2])")
const CALLERS = 12
const TAGS = Array.from({ length: 48 }, (_, i) => `t${i}`)
export const HALF_MOVED_MS = 6000
const MOST_QUESTIONS_A_SECOND = 10

const SETTINGS =
  "--cluster-node-timeout 1500 --cluster-require-full-coverage no --appendonly yes --repl-diskless-sync-delay 0".split(
    " ",
  )

export const startTortured = (): Promise<RealCluster> => startCluster(SETTINGS)

export const openTortured = ({ nodes }: RealCluster, timeoutMs: number): Driver =>
  openServer(`redis://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(",")}`, { timeoutMs })

interface Tally {
  done: number
  unknown: number
  notApplied: number
}

type Nemesis = (cluster: RealCluster, victim: RealRedis) => Promise<void>

/** Until the others have replaced it. */
async function untilReplaced(cluster: RealCluster, victim: RealRedis): Promise<void> {
  for (let now: readonly RealRedis[] = [victim]; now.length < 3 || now.includes(victim);) {
    await sleep(50)
    now = (await rolesOf(cluster)).primaries
  }
}

async function failOver(cluster: RealCluster, victim: RealRedis, ...how: string[]): Promise<void> {
  for (let roles = await rolesOf(cluster); roles.primaries.includes(victim); roles = await rolesOf(cluster)) {
    const replica = roles.replicaOf(victim)
    // A replica that is just back refuses, or is not known yet.
    if (replica) await askServer(replica.port, "CLUSTER", "FAILOVER", ...how)
    await sleep(300)
  }
}

export const nemeses = {
  "kill -9, and back later": async (cluster, victim) => {
    await victim.kill9()
    await untilReplaced(cluster, victim)
    await victim.restart()
  },
  "a pause that is longer than the node timeout": async (cluster, victim) => {
    victim.pause()
    await untilReplaced(cluster, victim)
    victim.resume()
  },
  "a failover by hand": (cluster, victim) => failOver(cluster, victim),
  "all connections cut": async (cluster) => {
    for (const { port } of (await rolesOf(cluster)).primaries) await askServer(port, "CLIENT", "KILL", "TYPE", "normal")
  },
  "a takeover": (cluster, victim) => failOver(cluster, victim, "TAKEOVER"),
  "scripts forgotten": async (_, victim) => void (await askServer(victim.port, "SCRIPT", "FLUSH")),
  "slots moved under load": async (cluster, victim) => {
    const target = (await rolesOf(cluster)).primaries.find((node) => node !== victim)!
    const [from, to] = await Promise.all([victim, target].map(({ port }) => askServer(port, "CLUSTER", "MYID")))
    const how = ["--cluster-from", from!, "--cluster-to", to!, "--cluster-slots", "100", "--cluster-yes"]
    await program("redis-cli", ["--cluster", "reshard", `127.0.0.1:${victim.port}`, ...how])
  },
  "a seventh node that joins, takes slots and leaves": async (cluster, victim) => {
    // Without its last slot it would become a replica, while it is still being told of it.
    const own = "--cluster-enabled yes --cluster-announce-ip 127.0.0.1 --cluster-allow-replica-migration no".split(" ")
    const seventh = await startNode([...own, ...SETTINGS])
    try {
      const { primaries, ownerOf } = await rolesOf(cluster)
      const id = await askServer(seventh.port, "CLUSTER", "MYID")
      await askServer(seventh.port, "CLUSTER", "MEET", "127.0.0.1", String(victim.port))
      for (const { port } of cluster.nodes)
        while (!new RegExp(`^${id} .* connected`, "m").test(await askServer(port, "CLUSTER", "NODES"))) await sleep(50)
      while (!/cluster_state:ok/.test(await askServer(seventh.port, "CLUSTER", "INFO"))) await sleep(50)
      const slots = [...new Set(TAGS.map(clusterSlot))].filter((slot) => ownerOf(slot) === victim).slice(0, 8)
      const others = primaries.filter((node) => node !== victim)
      for (const slot of slots) await moveSlot(slot, victim, seventh, others)
      await sleep(500)
      for (const slot of slots) await moveSlot(slot, seventh, victim, others)
      for (const { port } of cluster.nodes) await askServer(port, "CLUSTER", "FORGET", id)
    } finally {
      await seventh.stop()
    }
  },
  /** Its keys are at their new node long before the slot is. */
  "a slot that takes long to move": async (cluster) => {
    const slot = clusterSlot("t0")
    const { primaries, ownerOf } = await rolesOf(cluster)
    const owner = ownerOf(slot)!
    const target = primaries.find((node) => node !== owner)!
    await moveSlot(slot, owner, target, primaries, { atOnce: 10_000, meanwhile: () => sleep(HALF_MOVED_MS) })
  },
  /** What a script writes together is apart for a while. */
  "a slot whose keys move one by one": async (cluster) => {
    const slot = clusterSlot("t1")
    const { primaries, ownerOf } = await rolesOf(cluster)
    const owner = ownerOf(slot)!
    const target = primaries.find((node) => node !== owner)!
    await moveSlot(slot, owner, target, primaries, { atOnce: 1, meanwhile: () => sleep(30) })
  },
} satisfies Record<string, Nemesis>

export type NemesisName = keyof typeof nemeses

/** Redis loses nothing by these that a client was told, if the client does not believe a primary that was away. */
const LOSSLESS: ReadonlySet<NemesisName> = new Set([
  "a pause that is longer than the node timeout",
  "a failover by hand",
  "all connections cut",
  "scripts forgotten",
  "slots moved under load",
  "a seventh node that joins, takes slots and leaves",
  "a slot that takes long to move",
  "a slot whose keys move one by one",
])

export interface Tortured {
  /** What must not be, in words. */
  readonly violations: readonly string[]
  readonly told: object
}

export async function torture(
  driver: Driver,
  cluster: RealCluster,
  order: readonly NemesisName[],
  deadlineMs: number,
): Promise<Tortured> {
  const violations: string[] = []
  const pauses = watchPauses()
  const run = Math.random().toString(36).slice(2, 8)
  const tags = TAGS.map((tag) => `{${tag}}${run}:`)
  const counts = tags.map(() => ({ plain: zero(), safe: zero(), script: zero() }))
  const late: number[] = []
  const stop = new AbortController()
  const asked = await questionsOf(cluster)
  const began = performance.now()
  const count = async (tally: Tally, call: () => Promise<unknown>) => {
    const started = performance.now()
    try {
      await call()
      tally.done++
    } catch (error) {
      if (error instanceof OutcomeUnknown) tally.unknown++
      else if (error instanceof NotApplied) tally.notApplied++
      else violations.push(`unexpected: ${String(error)}`)
    }
    const over = performance.now() - started - deadlineMs
    if (over > 0) late.push(over)
  }
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let i = caller; !stop.signal.aborted; i += 7) {
      const at = i % tags.length
      const tag = tags[at]!
      const { plain, safe, script } = counts[at]!
      await count(plain, () => driver.send(["INCR", `${tag}plain`]))
      await count(safe, () => driver.send(["GET", `${tag}plain`], { safe: true }))
      await count(script, () => driver.run(both, [`${tag}a`, `${tag}b`], []))
      await sleep(1)
    }
  })
  const sum = (of: "plain" | "safe" | "script"): Tally => counts.reduce((all, one) => add(all, one[of]), zero())
  for (const name of order) {
    await untilCalm(cluster)
    const { primaries } = await rolesOf(cluster)
    await nemeses[name](cluster, primaries[Math.floor(Math.random() * primaries.length)]!)
  }
  await untilCalm(cluster)
  stop.abort()
  await Promise.all(callers)
  const seconds = (performance.now() - began) / 1000
  const { longestMs } = pauses
  pauses.stop()
  const values = (await driver.batch(
    tags.flatMap((tag) => [`${tag}plain`, `${tag}a`, `${tag}b`].map((key) => ["GET", key])),
    { safe: true, timeoutMs: 30_000 },
  )) as string[]
  // What the machine itself stood still for is not the connection's.
  for (const over of late) if (over > 100 + longestMs) violations.push(`late by ${over} ms`)
  const isLossless = order.every((name) => LOSSLESS.has(name))
  tags.forEach((tag, at) => {
    const { plain, script } = counts[at]!
    const [value, a, b] = values.slice(3 * at, 3 * at + 3).map(Number) as [number, number, number]
    for (const [name, found, tally] of [["plain", value, plain] as const, ["script", a, script] as const]) {
      if (found > tally.done + tally.unknown) violations.push(`${name} ${tag} holds ${found}: ${JSON.stringify(tally)}`)
      if (isLossless && found < tally.done) violations.push(`${name} ${tag} lost: ${found} of ${JSON.stringify(tally)}`)
    }
    // Replication may lose the end of a story, and never a part of a script.
    if (a !== b) violations.push(`${tag} apart: ${a} and ${b}`)
  })
  const told = { plain: sum("plain"), safe: sum("safe"), script: sum("script"), seconds: Math.round(seconds) }
  for (const [name, { unknown, notApplied }] of Object.entries({
    plain: told.plain,
    script: told.script,
    safe: told.safe,
  })) {
    if (notApplied > 0) violations.push(`${notApplied} ${name} calls found no owner within their deadline`)
    if (name === "safe" && unknown > 0) violations.push(`${unknown} calls that may be repeated were not`)
  }
  // One call of each caller for each fault; on a machine that stands still now and then, for that too.
  if (told.plain.unknown + told.script.unknown > 3 * CALLERS * order.length) violations.push("too many unknown calls")
  if (told.plain.done <= 100) violations.push("hardly any call was carried out")
  // Each question goes to three nodes at most; those that were restarted have forgotten theirs.
  const questions = (await questionsOf(cluster)) - asked
  if (questions > 3 * MOST_QUESTIONS_A_SECOND * (seconds + 1)) violations.push(`${questions} questions in ${seconds} s`)
  return { violations, told: { ...told, questions } }
}

/** How often the nodes were asked for the slots; our own tools ask differently. */
async function questionsOf({ nodes }: RealCluster): Promise<number> {
  const counted = nodes.map(async ({ port }) => {
    const stats = await askServer(port, "INFO", "commandstats")
    return Number(/cmdstat_cluster\|slots:calls=(\d+)/.exec(stats)?.[1] ?? 0)
  })
  return (await Promise.all(counted)).reduce((sum, calls) => sum + calls, 0)
}

const zero = (): Tally => ({ done: 0, unknown: 0, notApplied: 0 })
const add = (one: Tally, other: Tally): Tally => ({
  done: one.done + other.done,
  unknown: one.unknown + other.unknown,
  notApplied: one.notApplied + other.notApplied,
})
