/* New posts: into the pool when they are public and no break day (REC-5), and into their
 * author's contribution, once for each category and date (REC-C10).
 *
 * Whether a day was counted before is asked of the source: an earlier post of the same
 * user, category and date that was not skipped. */

import { categoriesOf, earlierPosts, markSkipped, postPage, type PostRow, type Stretch } from "../../source/reading.ts"
import type { Fences } from "keywright"
import { ANYBODY } from "../../schema.ts"
import { dayOfMillis } from "./day-of.ts"
import { isDecided, voidUndecided } from "./marks.ts"
import type { Ongoing } from "./ongoing.ts"
import type { SkippedFor } from "./report.ts"
import { batchesOf, inAllShards, inFlow, pagesOf, type RecordBatch, type NightlyRun } from "./run.ts"

export const BREAK_DAY = "I have a break today."

export async function addPosts(run: NightlyRun, ongoing: Ongoing): Promise<void> {
  const { db, source, settings } = run.context
  if (run.cursors.post >= run.bounds.post) return
  const recentPosts = run.params.pools(run.categories)
  const dayOf = dayOfMillis(settings.timeZone)
  const nameOf = (user: number, category: number, created: number) => `${user} ${category} ${dayOf(created)}`
  const read = (stretch: Stretch) => source.ask((sql) => postPage(sql, stretch, BREAK_DAY))

  await voidUndecided(run, "post")
  await inFlow(async (send) => {
    for await (const page of pagesOf(run, "post", read, (rows) => rows)) {
      await skipPosts(run, page, ongoing)
      const earlier = await source.ask((sql) => earlierPosts(sql, { after: page.from, upTo: page.to }, BREAK_DAY))
      const counted = new Set(earlier.map(({ user, category, created }) => nameOf(user, category, created)))
      const spent: DaySpent[] = []
      const batches = batchesOf(page, settings.batch).map(({ from, to, rows }) => {
        const pool: number[] = []
        const days: number[] = []
        for (const { id, challenge, user, is_break, created, deleted, skipped } of rows) {
          const info = ongoing.get(challenge)
          if (info === undefined || skipped === 1) continue
          if (deleted === 0) run.report.added("post")
          if (is_break === 1) continue
          if (info.isPublic && deleted === 0) pool.push(info.category, id, challenge)
          const name = nameOf(user, info.category, created)
          if (!counted.has(name)) {
            days.push(user, info.category)
            spent.push({ id, user, category: info.category })
          }
          counted.add(name)
        }
        return { date: run.date, from, to, pool, days }
      })
      if (run.fences !== undefined) await spendDays(run, run.fences, spent)
      for (const { days, ...batch } of batches)
        await send(
          run.fences === undefined
            ? db.$steps.addPosts({ ...batch, ...ANYBODY, days, recentPosts })
            : db.$steps.poolPosts({ ...batch, recentPosts }),
        )
    }
  })
}

interface DaySpent {
  readonly id: number
  readonly user: number
  readonly category: number
}

/** Where there are shards: the days of a page, in the shards of its users. */
const spendDays = (run: NightlyRun, fences: Fences<number>, spent: readonly DaySpent[]): Promise<void> => {
  const left = spent.filter(({ id, user }) => !isDecided(run, "post", id, user))
  return inAllShards(
    fences.split("post", left, ({ user }) => user),
    ({ value, rows, sequence, fence }) =>
      run.context.db.$steps.spendDays({
        ...{ user: value, sequence, fence, categories: run.categories },
        records: rows.map(({ user, category }) => [user, category]),
      }),
  )
}

/** Posts of a challenge that is not going on are skipped and reported (REC-C14). */
async function skipPosts(run: NightlyRun, { rows }: RecordBatch<PostRow>, ongoing: Ongoing): Promise<void> {
  const { source } = run.context
  const strays = rows.filter(({ challenge, skipped }) => !ongoing.has(challenge) && skipped === 0)
  if (strays.length === 0) return
  const challenges = [...new Set(strays.map(({ challenge }) => challenge))]
  const categories = new Map(
    (await source.ask((sql) => categoriesOf(sql, challenges))).map(({ id, category }) => [id, category]),
  )
  const reasonOf = (challenge: number): SkippedFor => {
    const category = categories.get(challenge)
    if (category === undefined) return "unknown_challenge"
    return category < run.categories ? "challenge_not_ongoing" : "unknown_category"
  }
  for (const { id, challenge, deleted } of strays)
    if (deleted === 0) run.report.skipped("post", id, reasonOf(challenge))
  const ids = strays.map(({ id }) => id)
  await source.ask((sql) => markSkipped(sql, "recommender_post", ids))
}
