/* The pool as a process knows it: the posts of each category by age, and of each
 * challenge. Redis has no way from a challenge to its posts, so the whole is read once
 * and kept until a run, or anything else, has changed it (REC-13).
 *
 * What is found here is a proposal: before a post is recommended, post_clg_pair is asked
 * whether it is still there. So a pool that is a little old only misses what is new. */

import type { RecommenderContext } from "../context.ts"
import type { Params, ParamValues } from "./params.ts"
import { agesOfPosts } from "./run/ring.ts"

export interface PooledPost {
  readonly id: number
  readonly challenge: number
  readonly category: number
  /** In days. */
  readonly age: number
}

export interface Pool {
  /** By code, then by age. */
  readonly categories: readonly (readonly (readonly PooledPost[])[])[]
  /** The posts of challenges that have not ended, the newest first. */
  readonly byChallenge: ReadonlyMap<number, readonly PooledPost[]>
  readonly oldestId: number
  readonly size: number
}

/** What says whether the pool has changed: all of it is cheap to ask for. */
export interface PoolState {
  readonly params: ParamValues
  readonly sizes: readonly number[]
}

/**
 * A pool of more posts than this is not read again at once for a deletion, nor for each batch of a run that is under
 * way, but after a multiple of the time that it took.
 */
const LARGE = 5000
const REST = 5

interface Known {
  /** What runs have made of the pool, and what was deleted since. */
  readonly run: string
  readonly sizes: string
  readonly pool: Promise<Pool>
  until: number
}

export function pools(context: RecommenderContext, params: Params, isRunning: () => Promise<boolean>) {
  const { db, lenient } = context
  let latest: Known | undefined

  const load = async ({ params: now }: PoolState): Promise<Pool> => {
    const keys = params.pools(now.distinct_category)
    const [pairs, challenges, ...recent] = await Promise.all([
      db.challengeOfPost().all(lenient),
      db.challenges().all(lenient),
      ...keys.map((key) => agesOfPosts(context, now, key)),
    ])
    const size = now.max_post_age
    const categories = keys.map(() => Array.from({ length: size }, (): PooledPost[] => []))
    const byChallenge = new Map<number, PooledPost[]>()
    const pool = { categories, byChallenge, oldestId: Infinity, size: 0 }
    for (const [category, posts] of recent.entries()) {
      for (const [id, age] of posts) {
        const challenge = pairs.get(id)
        if (challenge === undefined || challenges.get(challenge)?.isPublic === false) continue
        categories[category]![age]!.push({ id, challenge, category, age })
        pool.oldestId = Math.min(pool.oldestId, id)
        pool.size += 1
      }
    }
    for (let age = 0; age < size; age++) {
      for (const slots of categories) {
        slots[age]!.sort((a, b) => b.id - a.id)
        for (const post of slots[age]!) {
          if (!challenges.has(post.challenge)) continue
          const known = byChallenge.get(post.challenge)
          if (known) known.push(post)
          else byChallenge.set(post.challenge, [post])
        }
      }
    }
    return pool
  }

  return {
    /** Asks for what `current` needs: its parts go out in one write with whatever else is asked now. */
    async state(now: Promise<ParamValues>, categories: number): Promise<PoolState> {
      const [read, ...sizes] = await Promise.all([
        now,
        db.challengeOfPost().size(),
        db.challenges().size(),
        ...params.pools(categories).map((key) => db.recentPosts(key).size()),
      ])
      return { params: read, sizes }
    },

    /** The pool, read again when it is not the one that is known; and whether it was. */
    async current(state: PoolState): Promise<{ readonly pool: Promise<Pool>; readonly isRead: boolean }> {
      const { day_index, last_run_date, cursor_clg, cursor_post, max_post_age, distinct_category } = state.params
      const run = [day_index, last_run_date, cursor_clg, cursor_post, max_post_age, distinct_category].join()
      const sizes = state.sizes.join()
      const isResting = latest !== undefined && performance.now() < latest.until
      const isKept = isResting && latest!.run !== run && (await isRunning())
      if (latest !== undefined && (isKept || (latest.run === run && (isResting || latest.sizes === sizes))))
        return { pool: latest.pool, isRead: false }
      const started = performance.now()
      const reading = load(state)
      const mine: Known = { run, sizes, pool: reading, until: Infinity }
      latest = mine
      reading.then(
        ({ size }) => {
          const now = performance.now()
          mine.until = size > LARGE ? now + REST * (now - started) : 0
        },
        () => {
          if (latest === mine) latest = undefined
        },
      )
      return { pool: reading, isRead: true }
    },
  }
}

export type Pools = ReturnType<typeof pools>
