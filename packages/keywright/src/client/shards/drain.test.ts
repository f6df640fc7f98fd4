/* Drains: each amount once in the target, whatever crashes, repeats or runs beside. Looked at by plain commands. */

import fc from "fast-check"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { type RealCluster, startPrimaries } from "../../../../../test/redis-cluster.ts"
import type { Driver } from "../../driver/driver.ts"
import { findDriver } from "../../driver/find-driver.ts"
import { audit } from "../../inspect/audit/audit.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { connect } from "../connect.ts"
import { drainPutScript } from "../lua/index.ts"
import { onBothServers } from "../servers.cases.ts"
import { drainers, schemaOf } from "./drain.cases.ts"

const SCRIPTS = ["drain-take", "drain-put", "drain-done"] as const
class Crash extends Error {}

const suite = (shards: number, open: () => { driver: Driver; target: never }) => {
  const schema = schemaOf(shards)
  const driver = () => open().driver
  const send = (...words: string[]) => driver().send(words)
  const keyIn = (token: string, name: string): string => {
    const { pattern, params } = schema.keys.find((one) => one.name === name)!
    const tag = params["shard"]?.shard?.tagOf(token)
    return tag === undefined ? pattern : pattern.replace("{{shard}}", `{${tag}}`)
  }
  const view = (token: string, item: string, times = 1) =>
    send("ZINCRBY", keyIn(token, "session.views"), String(-times), item)
  const counted = async () => {
    const flat = (await send("ZRANGE", "viewed:", "0", "-1", "WITHSCORES")) as string[]
    return Object.fromEntries(flat.flatMap((item, i) => (i % 2 === 0 ? [[item, -Number(flat[i + 1])]] : [])))
  }
  /** What a crashed drainer left becomes free, as if its time were over. */
  const timePasses = async (tokens: readonly string[]) => {
    for (const token of tokens)
      if ((await send("EXISTS", keyIn(token, "session.views#note"))) === 1)
        await send("HSET", keyIn(token, "session.views#note"), "until", "0")
  }
  const tokens = ["a", "b", "c", "d", "e"]

  it("moves what was added up in all shards, of every kind, once", async () => {
    const db = await connect(schema, open().target)
    for (const [i, token] of tokens.entries()) {
      await db.session({ token }).views().increment("x", -1)
      await db.session({ token }).views().increment(`only ${token}`, -2)
      await db.session({ token }).sums().increment("f", i)
      await db.session({ token }).total().increment(10)
    }
    expect((await db.$drains.views.run()).busy).toBe(0)
    await db.$drains.sums.run()
    await db.$drains.total.run()
    expect(await db.$drains.views.run()).toEqual({ batches: 0, busy: 0 })
    expect(await counted()).toEqual({ x: 5, "only a": 2, "only b": 2, "only c": 2, "only d": 2, "only e": 2 })
    expect(await send("HGETALL", "sum:")).toEqual(["f", "10"])
    expect(await send("GET", "all:")).toBe("50")
    for (const token of tokens) {
      for (const name of ["session.views", "session.views#out", "session.sums#out", "session.total#out"])
        expect(await send("EXISTS", keyIn(token, name))).toBe(0)
      const note = (await send("HGETALL", keyIn(token, "session.views#note"))) as string[]
      expect(note).toEqual(["number", "1"])
    }
    expect((await audit(schema as Keyspace, driver())).summary).toEqual({})
    await db.$close()
  })

  for (const script of SCRIPTS)
    for (const when of ["before", "after"] as const)
      it(`counts once when a drainer crashes ${when} ${script}, and another takes up its batches`, async () => {
        for (const token of tokens) await view(token, "x")
        const crash = {
          [when]: (name: string) => {
            if (name === script) throw new Crash()
          },
        }
        await expect(drainers(schema, driver(), crash).views.run()).rejects.toThrow(Crash)
        for (const token of tokens) await view(token, "x")
        const other = drainers(schema, driver())
        await other.views.run()
        await timePasses(tokens)
        await other.views.run()
        await other.views.run()
        expect(await counted()).toEqual({ x: 10 })
        expect((await audit(schema as Keyspace, driver())).summary).toEqual({})
      })

  for (const script of SCRIPTS)
    it(`leaves nothing behind in the pass after one that was cut off after ${script}, and says so`, async () => {
      let isCut = true
      const { views } = drainers(schema, driver(), {
        after(name) {
          if (isCut && name === script) throw new Crash()
        },
      })
      for (const token of tokens) await view(token, "x")
      await expect(views.run()).rejects.toThrow(Crash)
      isCut = false
      for (const token of tokens) await view(token, "x", 10)
      const { batches, busy } = await views.run()
      expect([batches > 0, busy]).toEqual([true, 0])
      expect(await counted()).toEqual({ x: 55 })
      for (const token of tokens) expect(await send("EXISTS", keyIn(token, "session.views"))).toBe(0)
      expect(await views.run()).toEqual({ batches: 0, busy: 0 })
    })

  it("counts once, whatever happens in whatever order", async () => {
    const moves = fc.array(
      fc.oneof(
        fc.record({ view: fc.constantFrom(...tokens), item: fc.constantFrom("x", "y") }),
        fc.record({
          drainer: fc.nat(1),
          crash: fc.option(fc.record({ at: fc.constantFrom(...SCRIPTS), when: fc.constantFrom("before", "after") })),
          nth: fc.nat(3),
        }),
        fc.constant("time passes" as const),
      ),
      { minLength: 1, maxLength: 30 },
    )
    await fc.assert(
      fc.asyncProperty(moves, async (steps) => {
        await send("FLUSHALL")
        const expected: Record<string, number> = {}
        let crash: { at: string; when: string } | null = null
        let left = 0
        const check = (when: string) => (name: string) => {
          if (crash?.at === name && crash.when === when && left-- <= 0) throw new Crash()
        }
        const two = [0, 1].map(() => drainers(schema, driver(), { before: check("before"), after: check("after") }))
        for (const step of steps) {
          if (step === "time passes") await timePasses(tokens)
          else if ("view" in step) {
            await view(step.view, step.item)
            expected[step.item] = (expected[step.item] ?? 0) + 1
          } else {
            crash = step.crash
            left = step.nth
            await two[step.drainer]!.views.run().catch((error: unknown) => expect(error).toBeInstanceOf(Crash))
          }
          const merged = await two[0]!.views.top(10)
          expect(Object.fromEntries(merged.map(([item, score]) => [item, -score]))).toEqual(expected)
        }
        crash = null
        await timePasses(tokens)
        await two[0]!.views.run()
        await two[1]!.views.run()
        expect(await counted()).toEqual(expected)
      }),
      { numRuns: 20 },
    )
  })

  it("counts once with many drainers at once, while views come in, and reads that see each view once", async () => {
    const all = [1, 2, 3, 4].map(() => drainers(schema, driver()))
    const over = new AbortController()
    const drained = all.map(async ({ views }) => {
      while (!over.signal.aborted) await views.run()
    })
    for (let i = 1; i <= 60; i++) {
      await view(tokens[i % 5]!, "x")
      expect(await all[i % 4]!.views.top(5)).toEqual([["x", -i]])
    }
    over.abort()
    await Promise.all(drained)
    await all[0]!.views.run()
    await timePasses(tokens)
    await all[0]!.views.run()
    expect(await counted()).toEqual({ x: 60 })
  })

  it("ignores a batch that arrives late, and one whose number was lost is not mistaken for it", async () => {
    await view("a", "x", 3)
    await drainers(schema, driver()).views.run()
    await view("a", "x", 4)
    await drainers(schema, driver()).views.run()
    const numbers = "keywright:drained:{viewed:}:views"
    const [shard = ""] = (await send("HKEYS", numbers)) as string[]
    for (const number of ["1", "2"]) {
      const late = driver().run(drainPutScript, ["viewed:", numbers], ["zset", shard, number, "x", "-3"])
      expect(await late).toBe(0)
    }
    expect(await counted()).toEqual({ x: 7 })
    await send("DEL", keyIn("a", "session.views#note"))
    await view("a", "x", 5)
    await drainers(schema, driver()).views.run()
    expect(await counted()).toEqual({ x: 12 })
  })

  it("leaves a batch whole where it is when the target cannot take it", async () => {
    await send("SET", "viewed:", "not a sorted set")
    await view("a", "x")
    const { views, sums } = drainers(schema, driver())
    await expect(views.run()).rejects.toMatchObject({ code: expect.stringMatching(/WRONG_?TYPE/i) as string })
    await send("DEL", "viewed:")
    await views.run()
    expect(await counted()).toEqual({ x: 1 })
    await send("HSET", "sum:", "g", "not a number")
    await send("HSET", keyIn("a", "session.sums"), "f", "1", "g", "2")
    await expect(sums.run()).rejects.toMatchObject({ code: "DRAIN.AMOUNT" })
    expect(await send("HGETALL", "sum:")).toEqual(["g", "not a number"])
    await send("HSET", "sum:", "g", "5")
    await sums.run()
    expect(Object.fromEntries(await sums.all())).toEqual({ f: 1, g: 7 })
    expect(await send("HMGET", "sum:", "f", "g")).toEqual(["1", "7"])
  })
}

for (const shards of [0, 16])
  onBothServers(`drains with ${shards} shards`, (server) => suite(shards, () => server() as never))

describe.runIf(needs("redis-server"))("drains on a cluster", () => {
  let cluster: RealCluster
  let driver: Driver
  beforeAll(async () => {
    cluster = await startPrimaries(3)
    driver = findDriver(cluster.nodes[0]!.url)
  })
  afterAll(async () => {
    await driver?.close()
    await cluster?.stop()
  })
  beforeEach(() => driver.send(["FLUSHALL"]))
  suite(16, () => ({ driver, target: cluster.nodes[0]!.url as never }))

  it("are refused with plain names, which are in different slots", async () => {
    await expect(connect(schemaOf(0), cluster.nodes[0]!.url)).rejects.toMatchObject({
      code: "PLACEMENT.SPLIT",
      details: { split: [{ name: "$drains.views" }, { name: "$drains.sums" }, { name: "$drains.total" }] },
    })
  })
})
