/* Drains while servers are killed: no view counts twice, and none that was acknowledged is lost. On one server with its
 * log, views that were acknowledged are in the log; on a cluster each view is acknowledged by a replica, and the drain
 * waits for one too. */

import { afterEach, describe, expect, it } from "vitest"
import { rolesOf, untilCalm, untilReplaced } from "../../../../../test/cluster-control.ts"
import { isFull } from "../../../../../test/full.ts"
import { needs } from "../../../../../test/needs.ts"
import { startRedis } from "../../../../../test/real-redis.ts"
import { startCluster } from "../../../../../test/redis-cluster.ts"
import type { Driver } from "../../driver/driver.ts"
import { findDriver } from "../../driver/find-driver.ts"
import { audit } from "../../inspect/audit/audit.ts"
import { replicated } from "../../schema/entity.ts"
import { keyFormat } from "../../schema/key-format.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { Deadline } from "../call/deadline.ts"
import { OwnConnections } from "../call/own-connections.ts"
import { drainers, schemaOf } from "./drain.cases.ts"

const KILLS = isFull ? 6 : 2
const CALLERS = 6

describe.runIf(needs("redis-server"))("drains while servers are killed", () => {
  const closing: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close()
  })

  interface Traffic {
    readonly driver: Driver
    readonly schema: ReturnType<typeof schemaOf>
    /** Whether a view counts as acknowledged; rejects when that is not known. */
    view(command: readonly string[]): Promise<boolean>
    /** Kills something, and returns when it is back. */
    trouble(): Promise<void>
  }

  async function tortured({ driver, schema, view, trouble }: Traffic): Promise<void> {
    const { pattern, params } = schema.keys.find(({ name }) => name === "session.views")!
    const added = keyFormat(pattern, params, "token")
    const over = new AbortController()
    const counts = Array.from({ length: CALLERS }, () => ({ done: 0, unknown: 0 }))
    const callers = counts.map(async (count, caller) => {
      for (let i = 0; !over.signal.aborted; i++)
        await view(["ZINCRBY", added.build({ token: `${caller}-${i % 40}` }), "-1", `item${caller}`]).then(
          (known) => (known ? count.done++ : count.unknown++),
          () => count.unknown++,
        )
    })
    const two = [drainers(schema, driver), drainers(schema, driver)]
    let passes = 0
    const draining = two.map(async ({ views }) => {
      while (!over.signal.aborted)
        await views.run().then(
          () => passes++,
          () => undefined,
        )
    })
    const busy = async () => {
      const from = [counts.reduce((sum, { done }) => sum + done, 0), passes] as const
      while (counts.reduce((sum, { done }) => sum + done, 0) < from[0] + 200 || passes < from[1] + 10)
        await new Promise((resolve) => setTimeout(resolve, 20))
    }
    for (let i = 0; i < KILLS; i++) {
      await busy()
      await trouble()
    }
    await busy()
    over.abort()
    await Promise.all([...callers, ...draining])
    // Batches of the second drainer are its own until it has let them go.
    for (const { views } of two) while ((await views.run()).batches > 0) continue
    const scores = new Map(await two[0]!.views.top(100))
    for (const [caller, { done, unknown }] of counts.entries()) {
      const counted = -Number(await driver.send(["ZSCORE", "viewed:", `item${caller}`]))
      expect(counted, `item${caller}, ${done} done, ${unknown} unknown`).toBeGreaterThanOrEqual(done)
      expect(counted, `item${caller}, ${done} done, ${unknown} unknown`).toBeLessThanOrEqual(done + unknown)
      expect(scores.get(`item${caller}`)).toBe(-counted)
    }
    expect((await audit(schema as Keyspace, driver)).summary).toEqual({})
  }

  it("of one server that is killed and comes back with its log", async () => {
    const redis = await startRedis({ args: ["--appendonly", "yes", "--appendfsync", "always"] })
    closing.push(() => redis.stop())
    const driver = findDriver(redis.url)
    closing.push(() => driver.close())
    await tortured({
      driver,
      schema: schemaOf(16),
      view: async (command) => (await driver.send(command)) !== null,
      async trouble() {
        await redis.kill9()
        await redis.restart()
      },
    })
  })

  if (isFull)
    it("of a cluster whose primaries are killed, one after another, with replicated(1)", async () => {
      const cluster = await startCluster(["--cluster-node-timeout", "2000", "--appendonly", "no"])
      closing.push(() => cluster.stop())
      const driver = findDriver(cluster.nodes[0]!.url)
      closing.push(() => driver.close())
      const waiting = new OwnConnections(driver)
      closing.push(() => waiting.close())
      await untilCalm(cluster)
      await tortured({
        driver,
        schema: schemaOf(16, replicated(1)),
        async view(command) {
          const { confirmed } = await waiting.writeAndWait(command, 1, new Deadline(driver, { timeoutMs: 6000 }))
          return confirmed >= 1
        },
        async trouble() {
          const { primaries } = await rolesOf(cluster)
          // That of the target now and then, too.
          const killed = primaries[Math.floor(Math.random() * primaries.length)]!
          await killed.kill9()
          await untilReplaced(cluster, killed)
          await killed.restart()
          await untilCalm(cluster)
        },
      })
    })
})
