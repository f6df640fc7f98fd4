/* New reactions: what users interacted with, and how often they reacted to each challenge.
 * A cancelled reaction takes its 1 back, if it was counted (REC-C11); one to a post that
 * is not in the pool is skipped (REC-C13), and its record says so, so that nothing is ever
 * taken back that was not given. */

import {
  challengesOfPosts,
  markSkipped,
  reactionPage,
  standing,
  type ReactionRow,
  type Stretch,
} from "../../source/reading.ts"
import type { Fences } from "keywright"
import { isDecided, voidUndecided } from "./marks.ts"
import { endsWith, type Ongoing } from "./ongoing.ts"
import { batchesOf, inAllShards, inFlow, pagesOf, type RecordBatch, type NightlyRun } from "./run.ts"

/** Records, and the challenges of those of their posts that are in the pool. */
interface ReactionPage {
  readonly rows: readonly ReactionRow[]
  readonly pool: Map<number, number>
}

export async function addReactions(run: NightlyRun, ongoing: Ongoing): Promise<void> {
  const { db, source, settings, lenient } = run.context
  if (run.cursors.reaction >= run.bounds.reaction) return
  const read = async (stretch: Stretch): Promise<ReactionPage> => {
    const rows = await source.ask((sql) => reactionPage(sql, stretch))
    const posts = [...new Set(rows.map(({ post }) => post))]
    const challenges = await db.challengeOfPost().getMany(posts, lenient)
    const pool = new Map<number, number>()
    for (const [i, challenge] of challenges.entries()) if (challenge !== undefined) pool.set(posts[i]!, challenge)
    return { rows, pool }
  }
  const isPreferred = (challenge: number): boolean => {
    const info = ongoing.get(challenge)
    return info !== undefined && !endsWith(run, info)
  }

  await voidUndecided(run, "reaction")
  await inFlow(async (send) => {
    for await (const { page, ...all } of pagesOf(run, "reaction", read, ({ rows }) => rows)) {
      const skipped = await skipReactions(run, all, page.pool)
      run.report.added("reaction", all.rows.length - (skipped?.size ?? 0))
      const counted = skipped === undefined ? all.rows : all.rows.filter(({ id }) => !skipped.has(id))
      if (run.fences !== undefined) {
        await react(run, run.fences, counted, (post) => {
          const challenge = page.pool.get(post)!
          return isPreferred(challenge) ? challenge : 0
        })
        await send(db.$steps.moveCursor({ date: run.date, from: all.from, to: all.to, table: "reaction" }))
        continue
      }
      for (const { from, to, rows } of batchesOf(all, settings.batch)) {
        const likedPosts: { readonly user: number }[] = []
        const preferences: { readonly user: number }[] = []
        const likes: number[] = []
        const changes: number[] = []
        for (const { id, post, user, cancelled } of rows) {
          if (skipped?.has(id)) continue
          const whose = { user }
          if (cancelled === 0) {
            likedPosts.push(whose)
            likes.push(post)
          }
          const challenge = page.pool.get(post)!
          if (!isPreferred(challenge)) continue
          preferences.push(whose)
          changes.push(challenge, cancelled === 0 ? 1 : -1)
        }
        await send(db.$steps.addReactions({ date: run.date, from, to, likedPosts, preferences, likes, changes }))
      }
    }
  })
}

/** Where there are shards: the reactions of a page, in the shards of its users. */
const react = (
  run: NightlyRun,
  fences: Fences<number>,
  rows: readonly ReactionRow[],
  preferenceOf: (post: number) => number,
): Promise<void> => {
  const left = rows.filter(({ id, user }) => !isDecided(run, "reaction", id, user))
  return inAllShards(
    fences.split("reaction", left, ({ user }) => user),
    ({ value, rows, sequence, fence }) => {
      const users = distinct(rows.map(({ user }) => user))
      const numberOf = new Map(users.map((user, i) => [user, i + 1]))
      const whose = users.map((user) => ({ user }))
      return run.context.db.$steps.react({
        ...{ user: value, sequence, fence, likedPosts: whose, preferences: whose },
        records: rows.map(({ post, user, cancelled }) => [numberOf.get(user)!, post, preferenceOf(post), cancelled]),
      })
    },
  )
}

/** Finds and reports what is skipped; undefined when nothing is. The pool gets the challenges of posts that left it. */
async function skipReactions(
  run: NightlyRun,
  { from, rows }: RecordBatch<ReactionRow>,
  pool: ReactionPage["pool"],
): Promise<ReadonlySet<number> | undefined> {
  const { source } = run.context
  const cancels = rows.filter(({ cancelled }) => cancelled === 1)
  if (cancels.length === 0 && rows.every(({ post, skipped }) => skipped === 0 && pool.has(post))) return undefined

  const nameOf = ({ post, user }: { readonly post: number; readonly user: number }) => `${post} ${user}`
  const inQuestion = new Set(cancels.map(nameOf))
  const stands = new Map<string, number>()
  const gone = new Map<number, number>()
  if (cancels.length > 0) {
    const [posts, users] = [distinct(cancels.map(({ post }) => post)), distinct(cancels.map(({ user }) => user))]
    for (const one of await source.ask((sql) => standing(sql, from, posts, users))) stands.set(nameOf(one), one.count)
    const left = posts.filter((post) => !pool.has(post))
    if (left.length > 0)
      for (const { id, challenge } of await source.ask((sql) => challengesOfPosts(sql, left))) gone.set(id, challenge)
  }

  const skipped = new Set<number>()
  for (const row of rows) {
    if (isDecided(run, "reaction", row.id, row.user)) {
      if (row.skipped === 1) skipped.add(row.id)
      else if (inQuestion.has(nameOf(row)))
        stands.set(nameOf(row), (stands.get(nameOf(row)) ?? 0) + (row.cancelled === 1 ? -1 : 1))
      continue
    }
    const name = inQuestion.has(nameOf(row)) ? nameOf(row) : undefined
    const count = name === undefined ? 0 : (stands.get(name) ?? 0)
    const reason = row.cancelled === 1 ? count === 0 && "nothing_to_cancel" : !pool.has(row.post) && "post_not_in_pool"
    if (reason) {
      skipped.add(row.id)
      run.report.skipped("reaction", row.id, reason)
    } else if (name !== undefined) stands.set(name, count + (row.cancelled === 1 ? -1 : 1))
  }
  // What was counted is taken back from the challenge of a post, also when that has left the pool.
  for (const [post, challenge] of gone) pool.set(post, challenge)
  if (skipped.size > 0) await source.ask((sql) => markSkipped(sql, "recommender_reaction", [...skipped]))
  return skipped
}

const distinct = (ids: readonly number[]): number[] => [...new Set(ids)]
