/* The ring of days: a post has the slot of the run that added it as its score, and a run
 * on another date moves on by as many slots as days have passed (REC-1, REC-9).
 *
 * Slots are cleared before the index moves to them: concurrent readers miss posts that
 * are about to be removed anyway, and never take them for today's. A run that is cut
 * short in between clears them again. */

import type { Day } from "keywright"
import { daysFrom } from "../../../platform/days.ts"
import type { RecommenderContext } from "../../context.ts"
import { outOfRange } from "../out-of-range.ts"
import type { Params, ParamValues } from "../params.ts"

/** Posts that one step takes out of the pool. */
const CLEARED_AT_ONCE = 2000
/** More than any pool has. */
const MOST_POSTS = 2 ** 24

/** Advances the ring to a date, unless it is there already; returns the slot. */
export async function turnRing(
  { db }: RecommenderContext,
  params: Params,
  now: ParamValues,
  date: Day,
): Promise<number> {
  const { last_run_date: last, day_index: index = -1, max_post_age: size, distinct_category: categories } = now
  if (last === date) return index
  const passed = last === undefined ? 1 : daysFrom(last, date)
  const next = (index + passed) % size
  for (const [min, max] of slotsPassed(index, passed, size)) {
    for (const pool of params.pools(categories)) await clearSlots({ db }, pool, min, max, last ?? "")
  }
  await db.$steps.beginRun({ last: last ?? "", date, index: next, maxPostAge: size, categories })
  return next
}

/**
 * Takes all posts of a category between two slots, both included, out of the pool (REC-8), if `last` is still the date
 * of the last run; `"*"`: whatever it is. Posts may be added meanwhile, but no pool yields twice what it had: what a
 * server says that does is not believed.
 */
export async function clearSlots(
  { db }: Pick<RecommenderContext, "db">,
  { suffix }: { readonly suffix: number },
  min: number,
  max: number,
  last: string,
): Promise<number> {
  let [removed, most] = [0, Infinity]
  for (;;) {
    const some = await db.$steps.clearSlot({ suffix, last, min, max, limit: CLEARED_AT_ONCE })
    removed += some
    if (some < CLEARED_AT_ONCE) return removed
    if (most === Infinity) most = 2 * Math.min(await db.recentPosts({ suffix }).size(), MOST_POSTS) + 10 * removed
    if (removed > most) throw new Error(`The pool of category ${suffix} does not become empty`)
  }
}

/** The `count` slots after `index`, as ranges: `slotsPassed(5, 3, 7)` → 6 and 0 to 1. */
export function slotsPassed(index: number, passed: number, size: number): [min: number, max: number][] {
  if (passed >= size) return [[0, size - 1]]
  const [first, last] = [index + 1, index + passed]
  if (first >= size) return [[first - size, last - size]]
  if (last < size) return [[first, last]]
  return [
    [first, size - 1],
    [0, last - size],
  ]
}

/** The posts of a category's pool and their ages in days; those in no slot of the ring are left out and reported. */
export async function agesOfPosts(
  { db, lenient }: RecommenderContext,
  { day_index = 0, max_post_age: size }: ParamValues,
  pool: { readonly suffix: number },
): Promise<(readonly [post: number, age: number])[]> {
  const recent = db.recentPosts(pool)
  const found = await recent.rangeWithScores(0, -1, lenient)
  const inRing = found.filter(([, slot]) => slot < size)
  if (inRing.length < found.length)
    lenient.onUndecodable(outOfRange(recent, db.recentPosts.pattern, "a score", `0 to ${size - 1}`))
  return inRing.map(([post, slot]) => [post, (day_index - slot + size) % size] as const)
}
