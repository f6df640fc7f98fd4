/* Sharded keys: what their routing costs, and how even three primaries share the work of a step */

import { connect } from "keywright"
import { keyBuilder } from "../../packages/keywright/src/schema/key-builder.ts"
import { startPrimaries } from "../../test/redis-cluster.ts"
import { shopSchema } from "../../systems/shop/schema.ts"
import type { Bench } from "./harness.ts"
import { median } from "./harness-stats.ts"
import { startLoads } from "./scale/loads.ts"
import { watchKeys } from "./scale/watch-keys.ts"

const SHARDS = 64
const PRIMARIES = 3
const PROCESSES = 2

const TOKENS = Array.from(
  { length: 5000 },
  (_, i) => `6e1f2c34-${i.toString(16).padStart(4, "0")}-4f0b-9c1d-2f3a4b5c6d7e`,
)

export default async function (bench: Bench): Promise<void> {
  routing(bench)
  await nodes(bench)
}

/** The two take turns, so that what else the machine does is shared between them. */
function routing(bench: Bench): void {
  const params = TOKENS.map((one) => ({ token: one }))
  const builders = [shopSchema(), shopSchema({ shards: 1024 })].map(({ keys }) =>
    keyBuilder(
      keys.find(({ name }) => name === "session.viewed")!,
      keys,
    ),
  )
  const times = builders.map((): number[] => [])
  for (let round = 0; round < 201; round++)
    builders.forEach((build, i) => {
      const started = performance.now()
      let length = 0
      for (const one of params) length += build(one).length
      if (length === 0) throw new Error("no keys were built")
      times[i]!.push(((performance.now() - started) * 1000) / params.length)
    })
  const [plain, spread] = times.map((all) => all.sort((a, b) => a - b)[100]!) as [number, number]
  bench.report("a plain key", plain, undefined, "µs")
  bench.report("what a sharded key costs in addition", Math.max(0, spread - plain), "<=0.1", "µs")
}

/** The same total load of the shop's `view` step on one primary and on three, by turns. */
async function nodes(bench: Bench): Promise<void> {
  const seconds = bench.full ? 4 : 1
  const rounds = bench.full ? 9 : 3
  const [one, three] = [await open(1), await open(PRIMARIES)]
  try {
    const ratios: number[] = []
    const speeds: number[] = []
    for (let round = 0; round < rounds; round++) {
      const [single, several] = [await one.loads.run(seconds), await three.loads.run(seconds)]
      ratios.push(several / single)
      speeds.push(several / seconds)
    }
    bench.report("steps a second of three primaries", median(speeds), undefined, "/s")
    bench.report("three primaries against one, where cores are left for them", median(ratios), undefined, "×")
    const calls = await three.calls()
    const total = calls.reduce((sum, count) => sum + count, 0)
    calls.forEach((count, i) =>
      bench.report(`share of primary ${i + 1} in ${total} steps`, (100 * count) / total, undefined, "%"),
    )
    bench.report("the busiest primary against its fair share", (Math.max(...calls) / total) * PRIMARIES, "<=1.2", "×")
    await hiddenKeys(bench, three)
  } finally {
    await one.close()
    await three.close()
  }
}

/** No key but `viewed:` has a large part of the commands, and that one gets no more than a write for each shard and pass. */
async function hiddenKeys(bench: Bench, { cluster, db, loads }: Awaited<ReturnType<typeof open>>): Promise<void> {
  const PASSES = 3
  const { keys, commands, puts } = await watchKeys(
    cluster.nodes.map(({ port }) => port),
    async () => {
      for (let pass = 0; pass < PASSES; pass++) {
        await loads.run(0.3)
        await db.$drains.views.run()
      }
    },
  )
  const others = [...keys].filter(([key]) => key !== "viewed:").map(([, count]) => count)
  bench.report("commands of the busiest key, viewed: aside", (100 * Math.max(...others)) / commands, "<=5", "%")
  bench.report("writes of viewed: for each shard and pass", puts / (SHARDS * PASSES), "<=1", "×")
}

async function open(primaries: number) {
  const cluster = await startPrimaries(primaries)
  const { url } = cluster.nodes[0]!
  const db = await connect(shopSchema({ shards: SHARDS }), url, { timeoutMs: 30_000 })
  const loads = await startLoads(PROCESSES, url, SHARDS)
  return {
    cluster,
    db,
    loads,
    calls: async () =>
      Promise.all(
        (await db.$driver().primaries()).map(async (node) =>
          stepsOf(String(await node.send(["INFO", "commandstats"]))),
        ),
      ),
    async close() {
      await loads.stop()
      await db.$close()
      await cluster.stop()
    },
  }
}

const stepsOf = (info: string): number =>
  Number(/cmdstat_evalsha:calls=(\d+)/.exec(info)?.[1] ?? 0) + Number(/cmdstat_eval:calls=(\d+)/.exec(info)?.[1] ?? 0)
