/* Sharded keys: what their routing costs, and how even three primaries share the work of a step */

import { checksum, connect } from "keywright"
import { keyBuilder } from "../../packages/keywright/src/schema/key-builder.ts"
import type { Key } from "../../packages/keywright/src/schema/key.ts"
import { startPrimaries } from "../../test/redis-cluster.ts"
import { messagingSchema } from "../../systems/messaging/schema.ts"
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

/** A key sharded by one parameter, and one by several, each beside the same key with its plain name. */
function routing(bench: Bench): void {
  const tokens = TOKENS.map((one) => ({ token: one }))
  compared(bench, "one parameter", [shopSchema(), shopSchema({ shards: 1024 })], "session.viewed", tokens)
  const users = TOKENS.map((user) => ({ home: checksum("456", "789", user), project: "456", service: "789", user }))
  const messengers = [messagingSchema(), messagingSchema({ shards: 1024 })]
  compared(bench, "several parameters", messengers, "people.status", users)
}

const KEYS_A_ROUND = 250

/** The two take turns, in rounds so short that most of them are not interrupted by what else the machine does. */
function compared(
  bench: Bench,
  by: string,
  schemas: readonly { readonly keys: readonly Key[] }[],
  path: string,
  params: readonly Record<string, string>[],
): void {
  const builders = schemas.map(({ keys }) =>
    keyBuilder(
      keys.find(({ name }) => name === path)!,
      keys,
    ),
  )
  const times = builders.map((): number[] => [])
  for (let round = 0; round < 4000; round++) {
    const from = (round * KEYS_A_ROUND) % params.length
    const part = params.slice(from, from + KEYS_A_ROUND)
    builders.forEach((build, i) => {
      const started = performance.now()
      let length = 0
      for (const one of part) length += build(one).length
      if (length === 0) throw new Error("no keys were built")
      times[i]!.push(((performance.now() - started) * 1000) / part.length)
    })
  }
  const [plain, spread] = times.map(median) as [number, number]
  bench.report(`a plain key (${path})`, plain, undefined, "µs")
  bench.report(`what it costs in addition when it is sharded by ${by}`, Math.max(0, spread - plain), "<=0.1", "µs")
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
