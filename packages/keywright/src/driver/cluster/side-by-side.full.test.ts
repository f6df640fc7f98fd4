/* Our own connection, node-redis and ioredis at the same cluster, at the same time, while a primary is killed:
 * how many calls of each fail, and how soon after the promotion of its replica the first one succeeds. */

import { setTimeout as sleep } from "node:timers/promises"
import { Cluster } from "ioredis"
import { createCluster } from "redis"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { askServer } from "../../../../../test/ask-server.ts"
import { rolesOf, untilCalm } from "../../../../../test/cluster-control.ts"
import { watchPauses } from "../../../../../test/machine-pauses.ts"
import { needs } from "../../../../../test/needs.ts"
import type { RealRedis } from "../../../../../test/real-redis.ts"
import { type RealCluster, startCluster } from "../../../../../test/redis-cluster.ts"
import { clusterSlot } from "../cluster-slot.ts"
import { openServer } from "../resp/open-resp.ts"

const CALLERS = 8
const ROUNDS = 3

interface Client {
  increment(key: string): Promise<unknown>
  close(): unknown
}

describe.runIf(needs("redis-server"))("a primary that is killed, side by side", () => {
  let cluster: RealCluster
  const clients: Record<string, Client> = {}

  beforeAll(async () => {
    cluster = await startCluster(["--cluster-node-timeout", "2000", "--cluster-require-full-coverage", "no"])
    const own = openServer(cluster.nodes[0]!.url, { timeoutMs: 15_000 })
    clients["own connection"] = { increment: (key) => own.send(["INCR", key]), close: () => undefined }
    // As for a call with an operation id: the others send again what may have been carried out, too.
    clients["own connection, repeated"] = {
      increment: (key) => own.send(["INCR", key], { safe: true }),
      close: () => own.close(),
    }
    const nodeRedis = createCluster({ rootNodes: cluster.nodes.map(({ url }) => ({ url })) })
    nodeRedis.on("error", () => undefined)
    await nodeRedis.connect()
    clients["node-redis"] = { increment: (key) => nodeRedis.incr(key), close: () => nodeRedis.destroy() }
    const ioredis = new Cluster(cluster.nodes.map(({ port }) => ({ host: "127.0.0.1", port })))
    ioredis.on("error", () => undefined)
    clients["ioredis"] = { increment: (key) => ioredis.incr(key), close: () => ioredis.disconnect() }
  }, 120_000)
  afterAll(async () => {
    for (const { close } of Object.values(clients)) await close()
    await cluster?.stop()
  })

  /** The time at which a majority of primaries name another owner of the slot. */
  async function promoted(slot: number, victim: RealRedis): Promise<number> {
    for (;;) {
      const others = cluster.nodes.filter((node) => node !== victim)
      const views = await Promise.all(
        others.map(({ port }) =>
          askServer(port, "CLUSTER", "SLOTS").then(
            (text) => ownerPort(text, slot),
            () => undefined,
          ),
        ),
      )
      const elsewhere = views.filter((port) => port !== undefined && port !== victim.port)
      if (elsewhere.length > others.length / 2) return performance.now()
      await sleep(10)
    }
  }

  test("costs at most the calls that were on their way, and ends half a second after the promotion", async () => {
    const each = <T>(make: () => T): Record<string, T> =>
      Object.fromEntries(Object.keys(clients).map((name) => [name, make()]))
    const errors = each(() => 0)
    const after = each((): number[] => [])
    const codes = new Set<string>()
    const excused: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await untilCalm(cluster)
      const roles = await rolesOf(cluster)
      const victim = roles.primaries[round % roles.primaries.length]!
      const keys = Array.from({ length: 2000 }, (_, i) => `k${i}`).filter(
        (key) => roles.ownerOf(clusterSlot(key)) === victim,
      )
      const stop = new AbortController()
      const pauses = watchPauses()
      const done = new Map<string, number>()
      let promotedAt = Infinity
      const callers = Object.entries(clients).flatMap(([name, { increment }]) =>
        Array.from({ length: CALLERS }, async (_, caller) => {
          for (let i = caller; !stop.signal.aborted; i += CALLERS) {
            try {
              await increment(keys[i % keys.length]!)
              if (performance.now() > promotedAt && !done.has(name)) done.set(name, performance.now() - promotedAt)
            } catch (error) {
              errors[name]!++
              if (name === "own connection") codes.add(`${(error as Error).name} ${(error as { code?: string }).code}`)
            }
            await sleep(5)
          }
        }),
      )
      await sleep(500)
      await victim.kill9()
      promotedAt = await promoted(clusterSlot(keys[0]!), victim)
      while (done.size < Object.keys(clients).length) await sleep(10)
      stop.abort()
      await Promise.all(callers)
      pauses.stop()
      excused.push(pauses.longestMs)
      for (const [name, ms] of done) after[name]!.push(Math.round(ms))
      await victim.restart()
    }
    process.stderr.write(
      `side by side: errors ${JSON.stringify(errors)}, ms after the promotion ${JSON.stringify(after)}\n`,
    )
    // Nobody can know whether what was on its way was carried out; everything else waits for the new owner.
    expect([...codes].filter((code) => code !== "OutcomeUnknown DRIVER.CONNECTION_LOST")).toEqual([])
    expect(errors["own connection, repeated"]).toBe(0)
    expect(errors["own connection"]).toBeLessThanOrEqual(CALLERS * ROUNDS)
    after["own connection"]!.forEach((ms, round) => expect(ms).toBeLessThan(500 + 2 * excused[round]!))
  }, 600_000)
})

/** In the lines of `CLUSTER SLOTS` as redis-cli prints them: from, to, then host, port, id of the primary. */
function ownerPort(text: string, slot: number): number | undefined {
  const words = text.split("\n").map((line) => line.trim())
  for (let i = 0; i + 3 < words.length; i++) {
    const [from, to, host, port] = words.slice(i, i + 4)
    if (host === "127.0.0.1" && /^\d+$/.test(from!) && /^\d+$/.test(to!) && Number(from) <= slot && slot <= Number(to))
      return Number(port)
  }
  return undefined
}
