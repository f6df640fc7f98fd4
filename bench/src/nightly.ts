/* The recommender's nightly run, and what it recommends then.
 *
 * 100,000 posts and 1,000,000 reactions (a tenth of that in the short run) from a SQLite
 * file into an empty server: by the recommender, exactly once per record; by hand, one
 * command after another; and by hand in pipelines of the same size, with no promise.
 * Then recommendations for somebody with 10,000 liked posts and a pool of 50,000. */

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { startRedis } from "../../test/real-redis.ts"
import type { Bench } from "./harness.ts"
import { median, quantile } from "./harness-stats.ts"
import { byHand, connectByHand } from "./nightly/by-hand.ts"
import { fillSource, type Sizes } from "./nightly/source.ts"
import { asked } from "./systems/ask.ts"
import { openLoad } from "./systems/http-load.ts"
import { roundTrips } from "./systems/round-trips.ts"
import { startProgram } from "./systems/start-program.ts"
import { timed } from "./harness-timed.ts"

const serve = fileURLToPath(new URL("../../systems/dist/bin/serve.js", import.meta.url))
const ADMIN = "admin-token-of-the-bench"
const BATCH = 500
const ROUNDS = 5
const [FIRST_POSTS, FIRST_REACTIONS] = [455, 4545]

export default async function (bench: Bench): Promise<void> {
  const redis = await startRedis()
  const folder = await mkdtemp(join(tmpdir(), "keywright-nightly-"))
  try {
    await nightly(bench, redis.url, join(folder, "source.db"))
    await recommendations(bench, redis.url, redis.port, join(folder, "pool.db"))
  } finally {
    await redis.stop()
    await rm(folder, { recursive: true })
  }
}

async function serveOn(redis: string, db: number, file: string) {
  const args = ["recommender", "--port", "0", "--redis", `${redis}/${db}`, "--database", `sqlite:${file}`]
  const program = await startProgram(serve, [...args, "--admin-token", ADMIN, "--set", "recommender.jobs=false"])
  const run = () => asked(program.url, "POST /jobs/nightly", { date: "2024-01-02" }, ADMIN)
  return { ...program, run }
}

async function nightly(bench: Bench, url: string, file: string): Promise<void> {
  const part = bench.full ? 1 : 10
  const sizes: Sizes = { challenges: 1000, users: 20_000 / part, posts: 100_000 / part, reactions: 1_000_000 / part }
  const records = sizes.challenges + sizes.posts + sizes.reactions
  const ours = await serveOn(url, 0, file)
  fillSource(file, sizes)
  const [mine, other] = await Promise.all([0, 1].map((db) => connectByHand(url, db)))
  const hand = byHand(other!, file)
  try {
    const run = async () => {
      await mine!.flushDb()
      await ours.run()
    }
    const pipelines = async () => {
      await other!.flushDb()
      await hand.inPipelines(BATCH)
    }
    await pipelines()
    await run()
    await bench.compare({
      name: "nightly run / pipelines by hand",
      goal: ">=0.8",
      long: true,
      rounds: ROUNDS,
      ours: run,
      theirs: pipelines,
    })
    const rounds: { readonly ours: number; readonly theirs: number }[] = []
    for (let i = 0; i < ROUNDS; i++) {
      const theirs = (FIRST_POSTS + FIRST_REACTIONS) / (await timed(() => hand.oneByOne(FIRST_POSTS, FIRST_REACTIONS)))
      rounds.push({ ours: records / (await timed(run)), theirs })
    }
    const middle = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of))
    bench.report(
      "nightly run / one by one",
      middle(({ ours, theirs }) => ours / theirs),
      ">=20",
    )
    bench.report("nightly run: a second", 1000 * middle(({ ours }) => ours), undefined, "records")
    bench.report("one by one: a second", 1000 * middle(({ theirs }) => theirs), undefined, "records")
  } finally {
    hand.close()
    await Promise.all([mine!.close(), other!.close()])
    await ours.stop()
  }
}

async function recommendations(bench: Bench, url: string, port: number, file: string): Promise<void> {
  const ours = await serveOn(url, 2, file)
  const redis = await connectByHand(url, 2)
  fillSource(file, { challenges: 1000, users: 10_000, posts: 50_000, reactions: 0 })
  try {
    await ours.run()
    const ids = Array.from({ length: 10_000 }, (_, i) => String(5 * (i + 1)))
    await redis.sAdd("7_liked_posts", ids)
    await redis.zAdd(
      "7_clgs_preference",
      Array.from({ length: 100 }, (_, i) => ({ score: 100 - i, value: String(i + 1) })),
    )
    const load = openLoad(ours.url, { method: "GET", path: "/users/7/recommendations", status: 200 }, 1)
    await load.loop(100)
    bench.report("recommendations: round trips", await roundTrips(port, () => load.loop(1)), "<=3", "reads")
    const took: number[] = []
    for (let i = 0; i < (bench.full ? 5000 : 1000); i++) took.push(await timed(() => load.loop(1)))
    bench.report("recommendations: median", median(took), undefined, "ms")
    bench.report("recommendations: p99", quantile(took, 0.99), undefined, "ms")
    load.close()
  } finally {
    await redis.close()
    await ours.stop()
  }
}
