/* The checker on a cluster: four processes, two on each of two slots, whose transactions run while the primaries of
 * their slots are killed, paused and replaced, and while the slots themselves move. */

import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { askServer } from "../../../../../test/ask-server.ts"
import { moveSlot, rolesOf, untilCalm } from "../../../../../test/cluster-control.ts"
import { needs } from "../../../../../test/needs.ts"
import type { RealRedis } from "../../../../../test/real-redis.ts"
import { type RealCluster, startCluster } from "../../../../../test/redis-cluster.ts"
import { clusterSlot } from "../../driver/cluster-slot.ts"
import { openServer } from "../../driver/resp/open-resp.ts"
import { connect } from "../connect.ts"
import { bundleWriter, type WriterBundle } from "./bundle-writer.cases.ts"
import { checkHistory, countKinds } from "./check-history.cases.ts"
import { checkAccounts, readFinalState } from "./final-state.cases.ts"
import type { Anomaly, Pause } from "./history.cases.ts"
import { watchPauses } from "./pauses.cases.ts"
import { openAccounts, prefixOf, slotWorkspace } from "./workload.cases.ts"
import { recordedBy, Writer } from "./writers.cases.ts"

const TAGS = ["history-a", "history-b"] as const
const TRANSACTIONS = 8000
const ROUNDS = 3
const PATIENCE_MS = 30_000

describe.runIf(needs("redis-server"))("transactions of four processes on a cluster", () => {
  let cluster: RealCluster
  let bundle: WriterBundle
  const writers: Writer[] = []

  beforeAll(async () => {
    bundle = await bundleWriter()
    cluster = await startCluster(
      "--cluster-node-timeout 2000 --cluster-require-full-coverage no --appendonly yes --repl-diskless-sync-delay 0".split(
        " ",
      ),
    )
    await untilCalm(cluster)
  }, 120_000)
  afterAll(async () => {
    for (const writer of writers) writer.kill()
    await cluster?.stop()
    bundle?.remove()
  })

  const ownerOf = async (tag: string) => (await rolesOf(cluster)).ownerOf(clusterSlot(tag))!
  const untilReplaced = async (old: RealRedis, tag: string) => {
    for (let owner: RealRedis | undefined = old; owner === undefined || owner === old;) {
      await sleep(50)
      owner = (await rolesOf(cluster)).ownerOf(clusterSlot(tag))
    }
  }
  const failOver = async (tag: string, ...how: string[]) => {
    const owner = await ownerOf(tag)
    const replica = (await rolesOf(cluster)).replicaOf(owner)
    if (replica) await askServer(replica.port, "CLUSTER", "FAILOVER", ...how)
    await untilReplaced(owner, tag)
  }

  const nemeses: Readonly<Record<string, (tag: string) => Promise<void>>> = {
    "kill -9": async (tag) => {
      const owner = await ownerOf(tag)
      await owner.kill9()
      await untilReplaced(owner, tag)
      await owner.restart()
    },
    "a failover by hand": (tag) => failOver(tag),
    "the slot moves": async (tag) => {
      const { primaries } = await rolesOf(cluster)
      const owner = await ownerOf(tag)
      const target = primaries.find((node) => node !== owner)!
      const others = cluster.nodes.filter((node) => node !== owner && node !== target && primaries.includes(node))
      await moveSlot(clusterSlot(tag), owner, target, others)
    },
    "a pause that is shorter than the node timeout": async (tag) => {
      const owner = await ownerOf(tag)
      owner.pause()
      await sleep(700)
      owner.resume()
    },
    "a pause that is longer": async (tag) => {
      const owner = await ownerOf(tag)
      owner.pause()
      await untilReplaced(owner, tag)
      owner.resume()
    },
    "scripts forgotten": async (tag) => void (await askServer((await ownerOf(tag)).port, "SCRIPT", "FLUSH")),
    "a process killed": () => writers[Math.floor(Math.random() * writers.length)]!.killAndFollow(),
  }

  test(`strictly serializable under ${Object.keys(nemeses).join(", ")}`, async () => {
    const nodes = cluster.nodes.map(({ port }) => `127.0.0.1:${port}`).join(",")
    const db = await connect(slotWorkspace, `redis://${nodes}`, { timeoutMs: 20_000 })
    for (const tag of TAGS) await openAccounts(db.slot({ tag }))
    await db.$close()
    const machine: Pause[] = []
    const watching = watchPauses((pause) => machine.push(pause))
    const tagOf = (i: number) => TAGS[i % TAGS.length]!
    for (let i = 0; i < 4; i++) {
      const plan = { port: i, driver: "own connection", lanes: 6, replicated: true } as const
      writers.push(new Writer(bundle, i + 1, { ...plan, cluster: { nodes, tag: tagOf(i) } }, { seed: 5 }))
    }
    await Promise.all(writers.map((writer) => writer.begin()))
    const made = () => writers.reduce((sum, { transactions }) => sum + transactions, 0)
    for (let round = 0; round < ROUNDS || made() < TRANSACTIONS; round++)
      for (const [name, nemesis] of Object.entries(nemeses)) {
        await untilCalm(cluster)
        await sleep(500)
        // Each is there for one slot in this round and for the other in the next.
        await nemesis(TAGS[(round + name.length) % TAGS.length]!)
      }
    await untilCalm(cluster)
    const anomalies: Anomaly[] = (await Promise.all(writers.map((writer) => writer.end(PATIENCE_MS)))).flat()
    watching.stop()

    const driver = openServer(`redis://${nodes}`, { timeoutMs: 20_000 })
    let total = 0
    for (const [at, tag] of TAGS.entries()) {
      const { transactions, pauses, codes, anomalies: own } = recordedBy(writers.filter((_, i) => i % 2 === at))
      const operations = transactions.flatMap(({ writes, calls }) => [
        ...writes,
        ...calls.flatMap(({ answer = [] }) => answer),
      ])
      const final = await readFinalState(driver, operations, prefixOf(tag))
      anomalies.push(...own, ...(await checkAccounts(driver, prefixOf(tag))))
      anomalies.push(...checkHistory({ transactions, final, pauses: pauses.set("", machine), failover: true }))
      total += transactions.length
      process.stderr.write(`${tag}: ${transactions.length} transactions, ${JSON.stringify(codes)}\n`)
    }
    await driver.close()
    const some = anomalies.slice(0, 10).map(({ kind, text }) => `${kind}: ${text.slice(0, 700)}`)
    expect({ count: countKinds(anomalies), some }).toEqual({ count: {}, some: [] })
    expect(total).toBeGreaterThanOrEqual(TRANSACTIONS)
  }, 1_800_000)
})
