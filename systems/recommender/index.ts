/* The recommender, put together: schema → services → jobs → http. */

import { document } from "./document.ts"
import { checkShardCount } from "../platform/shard-count.ts"
import { system } from "../platform/system.ts"
import { auditRules } from "./audit-rules.ts"
import type { RecommenderContext } from "./context.ts"
import { fillDemo } from "./demo.ts"
import { jobRoutes } from "./http/jobs.ts"
import { readRoutes } from "./http/reads.ts"
import { recordRoutes } from "./http/records.ts"
import { atMidnight } from "./jobs/at-midnight.ts"
import { acceptSplit, recommenderSchema, shardCountSchema } from "./schema.ts"
import { blocks } from "./services/blocks.ts"
import { longLists } from "./services/long-lists.ts"
import { nightly } from "./services/nightly.ts"
import { params } from "./services/params.ts"
import { pools } from "./services/pool.ts"
import { reads } from "./services/reads.ts"
import { recommendations } from "./services/recommendations.ts"
import { records } from "./services/records.ts"
import { settings } from "./settings.ts"
import { createTables, type RecommenderTables } from "./tables.ts"

export const recommenderSystem = system<RecommenderTables>()({
  name: "recommender",
  doc: "A nightly mirror of five tables, from which posts are recommended.",
  databases: [13],
  document,
  settings,
  schema: recommenderSchema,
  acceptSplit,
  rules: auditRules,
  tables: createTables,
  refusals: {
    "RUN.OVERTAKEN": [409, "run_overtaken", "another run has continued from here"],
    "FENCE.OVERTAKEN": [409, "run_overtaken", "another run has continued from here"],
    "FENCE.GAP": [503, "run_interrupted", "a shard has lost its latest writes; the next run continues from here"],
    "JOB.LEASE_LOST": [503, "run_interrupted", "the run lost its claim; the next one continues from here"],
  },

  async start(context) {
    const { shardCount } = context.db
    await checkShardCount("recommender", context, {
      noted: shardCount ?? (async () => (await context.open(shardCountSchema(context.settings))).shardCount()),
    })
    const { forAdmin, metrics, db, addressOf } = context
    const param = params(context)
    const record = records(context, param)
    const block = blocks(context)
    const night = nightly(context, param)
    const inTurn = longLists(context)
    const read = reads(context, param, night, inTurn)
    const recommend = recommendations(context, param, pools(context, param, night.isRunning), block, inTurn)

    metrics.gauge("recommender_pool_posts", "Posts in the pool.", () => db.challengeOfPost().size())
    metrics.gauge("recommender_challenges", "Ongoing challenges.", () => db.challenges().size())

    return {
      routes: [
        ...recordRoutes(record, block, forAdmin),
        ...jobRoutes(night, forAdmin),
        ...readRoutes(read, recommend, param, forAdmin, addressOf),
      ],
      jobs: [atMidnight(context, night)],
    }
  },

  async demo(context: RecommenderContext) {
    const param = params(context)
    await fillDemo(context, records(context, param), nightly(context, param))
  },
})
