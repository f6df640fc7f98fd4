/* Six real nodes while everything happens to them that happens to nodes, and callers that
 * count what they were told. What must hold, whatever the order of faults:
 *
 *   every call settles by its deadline
 *   a counter holds at most what was reported done and what is unknown (less than what was
 *     reported: Redis itself loses what a dying primary had not replicated)
 *   a call that may be repeated fails only when its whole deadline was not enough
 *   two keys that a script writes together are never apart
 *
 * The full run takes eight minutes; the short one a kill, a pause, a failover and a cut. */

import { execFile } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import { cli, rolesOf, untilCalm } from "../../../../../test/cluster-control.ts"
import { watchPauses } from "../../../../../test/machine-pauses.ts"
import { needs } from "../../../../../test/needs.ts"
import { type RealCluster, startCluster } from "../../../../../test/redis-cluster.ts"
import type { RealRedis } from "../../../../../test/real-redis.ts"
import { NotApplied, OutcomeUnknown } from "../../errors/outcome.ts"
import type { Driver } from "../driver.ts"
import { openServer } from "../resp/open-resp.ts"
import { scriptOf } from "../script.ts"

const both = scriptOf("both", "redis.call('INCR', KEYS[1]) return redis.call('INCR', KEYS[2])")
const DEADLINE_MS = 30_000

interface Tally {
  done: number
  unknown: number
  notApplied: number
}

describe.runIf(needs("redis-server"))("a cluster whose nodes fail", () => {
  let cluster: RealCluster
  let driver: Driver
  const program = promisify(execFile)

  beforeAll(async () => {
    cluster = await startCluster([
      "--cluster-node-timeout",
      "1500",
      "--cluster-require-full-coverage",
      "no",
      "--appendonly",
      "yes",
      "--repl-diskless-sync-delay",
      "0",
    ])
    driver = openServer(
      cluster.nodes
        .map(({ url }) => url.slice("redis://".length))
        .join(",")
        .replace(/^/, "redis://"),
      {
        timeoutMs: DEADLINE_MS,
      },
    )
  }, 120_000)
  afterAll(async () => {
    await driver?.close()
    await cluster?.stop()
  })

  const roles = () => rolesOf(cluster)
  const calm = () => untilCalm(cluster)

  const nemeses: Readonly<Record<string, (victim: RealRedis) => Promise<void>>> = {
    "kill -9, and back later": async (victim) => {
      await victim.kill9()
      // Another has taken over.
      while ((await roles()).primaries.length < 3) await sleep(50)
      await victim.restart()
    },
    "a pause that is longer than the node timeout": async (victim) => {
      victim.pause()
      for (let now: readonly RealRedis[] = [victim]; now.length < 3 || now.includes(victim);)
        now = (await roles()).primaries
      victim.resume()
    },
    "a failover by hand": async (victim) => {
      const replica = (await roles()).replicaOf(victim)
      if (replica) await cli(replica.port, "CLUSTER", "FAILOVER")
      while ((await roles()).primaries.includes(victim)) await sleep(50)
    },
    "all connections cut": async () => {
      for (const { port } of (await roles()).primaries) await cli(port, "CLIENT", "KILL", "TYPE", "normal")
    },
    "a takeover": async (victim) => {
      const replica = (await roles()).replicaOf(victim)
      if (replica) await cli(replica.port, "CLUSTER", "FAILOVER", "TAKEOVER")
      while ((await roles()).primaries.includes(victim)) await sleep(50)
    },
    "scripts forgotten": async (victim) => void (await cli(victim.port, "SCRIPT", "FLUSH")),
    "slots moved under load": async (victim) => {
      const { primaries } = await roles()
      const target = primaries.find((node) => node !== victim)!
      const [from, to] = await Promise.all([victim, target].map(({ port }) => cli(port, "CLUSTER", "MYID")))
      await program(
        "redis-cli",
        ["--cluster", "reshard", `127.0.0.1:${victim.port}`, "--cluster-from", from!, "--cluster-to", to!].concat(
          "--cluster-slots",
          "100",
          "--cluster-yes",
        ),
      )
    },
  }
  const short = ["kill -9, and back later", "a pause that is longer than the node timeout", "a failover by hand"]
  const order = isFull
    ? Array.from({ length: 24 }, (_, i) => Object.keys(nemeses)[i % Object.keys(nemeses).length]!)
    : [...short, "all connections cut", "scripts forgotten"]

  test(
    "costs only the calls that were on their way",
    async () => {
      const pauses = watchPauses()
      const tags = Array.from({ length: 48 }, (_, i) => `{t${i}}`)
      await driver.batch(tags.map((tag) => ["SET", `${tag}plain`, "0"]))
      const counts = tags.map(() => ({ plain: zero(), safe: zero(), script: zero() }))
      const late: number[] = []
      const stop = new AbortController()
      const count = async (tally: Tally, call: () => Promise<unknown>) => {
        const started = performance.now()
        try {
          await call()
          tally.done++
        } catch (error) {
          if (error instanceof OutcomeUnknown) tally.unknown++
          else if (error instanceof NotApplied) tally.notApplied++
          else throw error
        }
        const over = performance.now() - started - DEADLINE_MS
        if (over > 0) late.push(over)
      }
      const callers = Array.from({ length: 12 }, async (_, caller) => {
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
      const unknownBy: Record<string, number> = {}
      const unknownNow = () => counts.reduce((sum, { plain, script }) => sum + plain.unknown + script.unknown, 0)
      for (const name of order) {
        await calm()
        const before = unknownNow()
        const { primaries } = await roles()
        await nemeses[name]!(primaries[Math.floor(Math.random() * primaries.length)]!)
        await calm()
        unknownBy[name] = (unknownBy[name] ?? 0) + unknownNow() - before
      }
      stop.abort()
      await Promise.all(callers)
      const values = (await driver.batch(
        tags.flatMap((tag) => [`${tag}plain`, `${tag}a`, `${tag}b`].map((key) => ["GET", key])),
      )) as string[]
      const { longestMs } = pauses
      pauses.stop()
      // What the machine itself stood still for is not the connection's.
      expect(late.filter((over) => over > 100 + longestMs)).toEqual([])
      tags.forEach((tag, at) => {
        const { plain, script } = counts[at]!
        const [value, a, b] = values.slice(3 * at, 3 * at + 3).map(Number)
        expect(value, `${tag} ${JSON.stringify(plain)}`).toBeLessThanOrEqual(plain.done + plain.unknown)
        expect(a, `${tag} ${JSON.stringify(script)}`).toBeLessThanOrEqual(script.done + script.unknown)
        // Replication may lose the end of a story, and never a part of a script.
        expect(a).toBe(b)
      })
      const sum = (of: "plain" | "safe" | "script"): Tally => counts.reduce((all, one) => add(all, one[of]), zero())
      const told = { plain: sum("plain"), safe: sum("safe"), script: sum("script"), unknownBy }
      process.stderr.write(`torture: ${JSON.stringify(told)}\n`)
      expect(told.safe).toMatchObject({ unknown: 0, notApplied: 0 })
      expect([told.plain.notApplied, told.script.notApplied]).toEqual([0, 0])
      // One call of each caller for each fault; on a machine that stands still now and then, for that too.
      expect(told.plain.unknown + told.script.unknown).toBeLessThanOrEqual(3 * 12 * order.length)
      expect(told.plain.done).toBeGreaterThan(100)
    },
    isFull ? 1_200_000 : 120_000,
  )
})

const zero = (): Tally => ({ done: 0, unknown: 0, notApplied: 0 })
const add = (one: Tally, other: Tally): Tally => ({
  done: one.done + other.done,
  unknown: one.unknown + other.unknown,
  notApplied: one.notApplied + other.notApplied,
})
