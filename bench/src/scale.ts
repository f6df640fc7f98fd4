/* Sharded keys: what their routing costs, and how even three primaries share the work of a step */

import { connect, id, int, keyspace, map, sharded, step, text, zset } from "keywright"
import { keyBuilder } from "../../packages/keywright/src/schema/key-builder.ts"
import { startPrimaries } from "../../test/redis-cluster.ts"
import type { Bench } from "./harness.ts"

const SHARDS = 64
const PRIMARIES = 3
const token = id("token")

const shop = (shards: number) =>
  keyspace(
    {
      session: sharded(shards, "token", {
        login: map("login:", token, text),
        recent: zset("recent:", token),
        viewed: zset("viewed:{token}", text),
      }),
    },
    {
      ttl: "never",
      params: { token },
      steps: {
        view: step({
          script: `-- KEYS login, recent, viewed  ARGV session, item, now
redis.call("HSET", KEYS[1], ARGV[1], "user")
redis.call("ZADD", KEYS[2], ARGV[3], ARGV[1])
return redis.call("ZADD", KEYS[3], ARGV[3], ARGV[2])`,
          keys: ["session.login", "session.recent", "session.viewed"],
          args: { session: token, item: text, now: int },
          returns: int,
        }),
      },
    },
  )

const TOKENS = Array.from(
  { length: 5000 },
  (_, i) => `6e1f2c34-${i.toString(16).padStart(4, "0")}-4f0b-9c1d-2f3a4b5c6d7e`,
)

export default async function (bench: Bench): Promise<void> {
  routing(bench)
  await evenness(bench)
}

/** The two take turns, so that what else the machine does is shared between them. */
function routing(bench: Bench): void {
  const params = TOKENS.map((one) => ({ token: one }))
  const builders = [shop(0), shop(1024)].map(({ keys }) =>
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

async function evenness(bench: Bench): Promise<void> {
  const cluster = await startPrimaries(PRIMARIES)
  const db = await connect(shop(SHARDS), cluster.nodes[0]!.url, { timeoutMs: 20_000 })
  try {
    const started = performance.now()
    for (let at = 0; at < TOKENS.length; at += 500)
      await Promise.all(
        TOKENS.slice(at, at + 500).map((one, i) =>
          db.$steps.view({ token: one, session: one, item: `item${i % 50}`, now: at + i }),
        ),
      )
    const seconds = (performance.now() - started) / 1000
    const nodes = await db.$driver().primaries()
    const calls = await Promise.all(
      nodes.map(async (node) => stepsOf(String(await node.send(["INFO", "commandstats"])))),
    )
    const total = calls.reduce((sum, one) => sum + one, 0)
    calls.forEach((one, i) => bench.report(`steps a second of primary ${i + 1}`, one / seconds, undefined, "/s"))
    bench.report("the busiest primary against its fair share", (Math.max(...calls) / total) * PRIMARIES, "<=1.2", "×")
    const sizes = await Promise.all(db.session.shards().map((shard) => shard.login().size()))
    bench.report("commands of the busiest key", (100 * Math.max(...sizes)) / TOKENS.length, "<=5", "%")
  } finally {
    await db.$close()
    await cluster.stop()
  }
}

const stepsOf = (info: string): number =>
  Number(/cmdstat_evalsha:calls=(\d+)/.exec(info)?.[1] ?? 0) + Number(/cmdstat_eval:calls=(\d+)/.exec(info)?.[1] ?? 0)
