/* What a user might like (REC-12 to REC-17): posts of challenges that they reacted to, of
 * the categories that they spend their days on, and some others; no posts that they know. It
 * only reads, in three round trips at most, and a fourth while a run changes a large pool. */

import type { RecommenderContext } from "../context.ts"
import type { Blocks } from "./blocks.ts"
import { inPieces } from "./in-pieces.ts"
import { type InTurnIfMany, MANY } from "./long-lists.ts"
import type { Params } from "./params.ts"
import type { Pool, PooledPost, Pools } from "./pool.ts"
import { randomFrom, shuffled, shuffledTogether, type RandomBelow } from "./random.ts"

export type RecommendedFor = "reacted_challenge" | "top_category" | "explore"
export interface Recommended {
  readonly id: number
  readonly challenge: number
  readonly category: number
  readonly reason: RecommendedFor
}

const TOP = 3
const PER_CATEGORY = 100
const EXPLORED = 200
/** From here on it is not worth while to read all that a user likes. */
const MANY_LIKES = 50_000
const PIECE = 5000
/** More than are wanted are chosen, for those that are gone meanwhile. */
const spare = (limit: number) => limit + Math.ceil(limit / 4) + 5

export function recommendations(
  context: RecommenderContext,
  params: Params,
  pools: Pools,
  blocks: Blocks,
  inTurnIfMany: InTurnIfMany,
) {
  const { db, lenient } = context
  /** As many as there were last time: the sizes of their pools are asked for before the number is known. */
  let categories = 5

  /** The posts of the pool that a user likes, for users with more likes than the pool has posts. */
  const likedOf = async (user: number, { categories }: Pool): Promise<number[]> => {
    const ids = categories.flat(2).map(({ id }) => id)
    const liked = db.user.likedPosts({ user })
    const answers = (await Promise.all(inPieces(ids, PIECE).map((piece) => liked.hasMany(piece)))).flat()
    return ids.filter((_, i) => answers[i])
  }

  return {
    async recommend(user: number, limit: number, seed: string | undefined, client: string): Promise<Recommended[]> {
      const reactions = db.user.preferences({ user })
      const [state, contribution = [], first, reacted, likes, isBlocking] = await Promise.all([
        pools.state(params.read(), categories),
        db.user({ user }).contributions().get(user),
        reactions.rangeWithScores(0, MANY, { reverse: true, ...lenient }),
        reactions.size(),
        db.user.likedPosts({ user }).size(),
        blocks.isBlocking(user),
      ])
      categories = state.params.distinct_category
      const { pool: reading, isRead } = await pools.current(state)
      const chosen = await inTurnIfMany(client, Math.max(likes, reacted), async () => {
        const isAskedWhole = likes <= MANY_LIKES || isRead
        const liking = likes === 0 || !isAskedWhole ? [] : db.user.likedPosts({ user }).members(lenient)
        const preferring = reacted > MANY ? reactions.rangeWithScores(0, -1, { reverse: true, ...lenient }) : first
        const [pool, whole, preferences] = await Promise.all([reading, liking, preferring])
        if (pool.size === 0) return []
        const liked = isAskedWhole ? whole : await likedOf(user, pool)
        const known = new Set(liked)
        if (isBlocking) for (const id of await blocks.postsOf(user, pool.oldestId)) known.add(id)

        const random = randomFrom(seed)
        const top = topCategories(contribution, categories, random)
        return choose({ pool, preferences, top, known, random, limit: spare(limit) })
      })
      if (chosen.length === 0) return []
      const challenges = await db.challengeOfPost().getMany(
        chosen.map(({ id }) => id),
        lenient,
      )
      return chosen.filter(({ challenge }, i) => challenges[i] === challenge).slice(0, limit)
    },
  }
}

export type Recommendations = ReturnType<typeof recommendations>

/** The categories that most days were spent on; when these are too few, any others (REC-12). */
export function topCategories(contribution: readonly number[], categories: number, random: RandomBelow): number[] {
  const codes = Array.from({ length: categories }, (_, code) => code)
  const days = (code: number) => contribution[code] ?? 0
  const best = codes.filter((code) => days(code) > 0).sort((a, b) => days(b) - days(a) || a - b)
  const others = shuffled(
    codes.filter((code) => days(code) <= 0),
    random,
  )
  return [...best, ...others].slice(0, TOP)
}

interface Choice {
  readonly pool: Pool
  readonly preferences: readonly (readonly [challenge: number, score: number])[]
  readonly top: readonly number[]
  /** What is not recommended. */
  readonly known: ReadonlySet<number>
  readonly random: RandomBelow
  readonly limit: number
}

/** REC-13: each with its reason, none twice. */
function choose({ pool, preferences, top, known, random, limit }: Choice): Recommended[] {
  const seen = new Set(known)
  const chosen: Recommended[] = []
  const take = ({ id, challenge, category }: PooledPost, reason: RecommendedFor): boolean => {
    if (seen.has(id)) return false
    seen.add(id)
    chosen.push({ id, challenge, category, reason })
    return true
  }

  for (const [challenge, score] of preferences) {
    if (score <= 0) continue
    for (const post of pool.byChallenge.get(challenge) ?? []) {
      take(post, "reacted_challenge")
      if (chosen.length === limit) return chosen
    }
  }

  const left = new Map(top.map((code) => [code, PER_CATEGORY]))
  for (let age = 0; age < (pool.categories[0]?.length ?? 0); age++) {
    for (const post of shuffled(sampled(pool, age, left, seen, random), random)) {
      take(post, "top_category")
      if (chosen.length === limit) return chosen
    }
  }

  const others = pool.categories.filter((_, code) => !top.includes(code)).flat()
  let explored = 0
  for (const post of shuffledTogether(others, random)) {
    if (take(post, "explore")) explored += 1
    if (chosen.length === limit || explored === EXPLORED) break
  }
  return chosen
}

/** Posts of one age, of each of some categories no more than are left for it. */
function sampled(
  { categories }: Pool,
  age: number,
  left: Map<number, number>,
  seen: ReadonlySet<number>,
  random: RandomBelow,
): PooledPost[] {
  const posts: PooledPost[] = []
  for (const [code, most] of left) {
    let taken = 0
    for (const post of shuffled(categories[code]?.[age] ?? [], random)) {
      if (taken === most) break
      if (seen.has(post.id)) continue
      posts.push(post)
      taken += 1
    }
    left.set(code, most - taken)
  }
  return posts
}
