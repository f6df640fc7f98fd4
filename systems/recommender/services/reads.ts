/* What is stored, for people who look (REC-18). It is read as it is, and nothing is made. */

import { notFound } from "../../platform/http/problem.ts"
import type { RecommenderContext } from "../context.ts"
import type { InTurnIfMany } from "./long-lists.ts"
import type { Nightly } from "./nightly.ts"
import type { Params, ParamValues } from "./params.ts"
import { unknownCategory } from "./records.ts"
import type { ChallengeInfo } from "./run/ongoing.ts"
import { agesOfPosts, clearSlots } from "./run/ring.ts"

export function reads(context: RecommenderContext, params: Params, nightly: Nightly, inTurnIfMany: InTurnIfMany) {
  const { db, lenient } = context
  const shown = ({ max_post_age, distinct_category, day_index, last_run_date }: ParamValues) => ({
    max_post_age,
    distinct_category,
    day_index: day_index ?? null,
    last_run_date: last_run_date ?? null,
  })
  /** The parameters, if there is such a category. */
  const withCategory = async (category: number): Promise<ParamValues> => {
    const now = await params.read()
    if (category >= now.distinct_category) throw unknownCategory(now.distinct_category)
    return now
  }
  const challengeOf = (id: number, { category, isPublic, duration, finishedDate }: ChallengeInfo) => ({
    id,
    category,
    is_public: isPublic,
    duration,
    finished_date: finishedDate,
  })

  return {
    params: async () => shown(await params.read()),

    async contribution(user: number): Promise<number[]> {
      const [now, days = []] = await Promise.all([params.read(), db.user({ user }).contributions().get(user)])
      return Array.from({ length: Math.max(now.distinct_category, days.length) }, (_, code) => days[code] ?? 0)
    },

    async preferences(user: number, client: string): Promise<{ id: number; score: number }[]> {
      const all = db.user.preferences({ user })
      return inTurnIfMany(client, await all.size(), async () => {
        const found = await all.rangeWithScores(0, -1, { reverse: true, ...lenient })
        return found.map(([id, score]) => ({ id, score }))
      })
    },

    async liked(user: number, client: string): Promise<number[]> {
      const all = db.user.likedPosts({ user })
      return inTurnIfMany(client, await all.size(), async () => (await all.members(lenient)).sort((a, b) => a - b))
    },

    /** The newest first. */
    async posts(category: number): Promise<{ id: number; age: number }[]> {
      const now = await withCategory(category)
      const found = await agesOfPosts(context, now, params.poolOf(category))
      return found.map(([id, age]) => ({ id, age })).sort((a, b) => a.age - b.age || b.id - a.id)
    },

    /** REC-8 */
    async removePosts(category: number, from: number, to: number): Promise<number> {
      await withCategory(category)
      return clearSlots(context, params.poolOf(category), from, to, "*")
    },

    async challenges() {
      const found = await db.challenges().all(lenient)
      return [...found].map(([id, info]) => challengeOf(id, info)).sort((a, b) => a.id - b.id)
    },

    async challenge(id: number) {
      const info = await db.challenges().get(id)
      if (info === undefined) throw notFound("there is no such ongoing challenge", "no_such_challenge")
      return challengeOf(id, info)
    },

    async post(id: number): Promise<{ id: number; challenge: number }> {
      const challenge = await db.challengeOfPost().get(id)
      if (challenge === undefined) throw notFound("there is no such post in the pool", "no_such_post")
      return { id, challenge }
    },

    async status() {
      const now = await params.read()
      const [sizes, running, ...pool] = await Promise.all([
        db.tableSizes().all(lenient),
        nightly.isRunning(),
        ...params.pools(now.distinct_category).map((key) => db.recentPosts(key).size()),
      ])
      return {
        db_len: Object.fromEntries(sizes),
        params: shown(now),
        pool: Object.fromEntries(pool.map((size, code) => [String(code), size])),
        running,
      }
    },
  }
}

export type Reads = ReturnType<typeof reads>
