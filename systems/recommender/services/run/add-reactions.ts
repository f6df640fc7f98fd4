/* New reactions: what users interacted with, and how often they reacted to each challenge.
 * A cancelled reaction takes its 1 back, if it stands (REC-C11); one to a post that is not
 * in the pool is skipped (REC-C13), and its record says so, so that nothing is ever taken
 * back that was not given. */

import {
  challengesOfPosts,
  markSkipped,
  reactionPage,
  standing,
  voidMarks,
  type ReactionRow,
  type Stretch,
} from "../../source/reading.ts"
import { endsWith, type Ongoing } from "./ongoing.ts"
import { batchesOf, inFlow, pagesOf, type Batch, type Run } from "./run.ts"

/** Records, and the challenges of those of their posts that are in the pool. */
interface Page {
  readonly rows: readonly ReactionRow[]
  readonly pool: Map<number, number>
}

export async function addReactions(run: Run, ongoing: Ongoing): Promise<void> {
  const { db, source, settings } = run.context
  if (run.cursors.reaction >= run.bounds.reaction) return
  const read = async (stretch: Stretch): Promise<Page> => {
    const rows = await source.ask((sql) => reactionPage(sql, stretch))
    const posts = [...new Set(rows.map(({ post }) => post))]
    const challenges = await db.challengeOfPost().getMany(posts)
    const pool = new Map<number, number>()
    for (const [i, challenge] of challenges.entries()) if (challenge !== undefined) pool.set(posts[i]!, challenge)
    return { rows, pool }
  }
  const isPreferred = (challenge: number): boolean => {
    const info = ongoing.get(challenge)
    return info !== undefined && !endsWith(run, info)
  }

  await source.ask((sql) => voidMarks(sql, "recommender_reaction", run.cursors.reaction))
  await inFlow(async (send) => {
    for await (const { page, ...all } of pagesOf(run, "reaction", read, ({ rows }) => rows)) {
      const skipped = await skipReactions(run, all, page.pool)
      for (const { from, to, rows } of batchesOf(all, settings.batch)) {
        const tally = newTally()
        for (const { id, post, user, cancelled } of rows) {
          if (skipped?.has(id)) continue
          const challenge = page.pool.get(post)!
          if (cancelled === 0) tally.like(user, post)
          if (isPreferred(challenge)) tally.change(user, challenge, cancelled === 0 ? 1 : -1)
        }
        run.report.added("reaction", rows.length - (skipped ? rows.filter(({ id }) => skipped.has(id)).length : 0))
        await send(db.$steps.addReactions({ date: run.date, from, to, ...tally.packed() }))
      }
    }
  })
}

/** Finds and reports what is skipped; undefined when nothing is. The pool gets the challenges of posts that left it. */
async function skipReactions(
  run: Run,
  { from, rows }: Batch<ReactionRow>,
  pool: Page["pool"],
): Promise<ReadonlySet<number> | undefined> {
  const { source } = run.context
  const cancels = rows.filter(({ cancelled }) => cancelled === 1)
  if (cancels.length === 0 && rows.every(({ post }) => pool.has(post))) return undefined

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
    const name = inQuestion.has(nameOf(row)) ? nameOf(row) : undefined
    const count = name === undefined ? 0 : (stands.get(name) ?? 0)
    const reason = row.cancelled === 1 ? count === 0 && "nothing_to_cancel" : !pool.has(row.post) && "post_not_in_pool"
    if (reason) {
      skipped.add(row.id)
      run.report.skipped("reaction", row.id, reason)
    } else if (name !== undefined) stands.set(name, count + (row.cancelled === 1 ? -1 : 1))
  }
  // What stood is taken back from the challenge of a post, also when that has left the pool.
  for (const [post, challenge] of gone) pool.set(post, challenge)
  if (skipped.size > 0) await source.ask((sql) => markSkipped(sql, "recommender_reaction", [...skipped]))
  return skipped
}

const distinct = (ids: readonly number[]): number[] => [...new Set(ids)]

/** What a batch comes to, by user, packed as the step takes it. */
function newTally() {
  const likes = new Map<number, number[]>()
  /** challenge, change, challenge, change, … */
  const changes = new Map<number, number[]>()
  return {
    like(user: number, post: number): void {
      const known = likes.get(user)
      if (known) known.push(post)
      else likes.set(user, [post])
    },
    change(user: number, challenge: number, by: number): void {
      const known = changes.get(user)
      if (known === undefined) changes.set(user, [challenge, by])
      else {
        let i = 0
        while (i < known.length && known[i] !== challenge) i += 2
        if (i < known.length) known[i + 1]! += by
        else known.push(challenge, by)
      }
    },
    packed() {
      const [posts, steps]: [number[], number[]] = [[], []]
      const [likedPosts, preferences]: { user: number }[][] = [[], []]
      for (const [user, liked] of likes) {
        likedPosts!.push({ user })
        posts.push(liked.length, ...liked)
      }
      for (const [user, all] of changes) {
        const real = all.some((_, i) => i % 2 === 1 && all[i] === 0) ? withoutNone(all) : all
        if (real.length === 0) continue
        preferences!.push({ user })
        steps.push(real.length / 2, ...real)
      }
      return { likedPosts: likedPosts!, preferences: preferences!, likes: posts, changes: steps }
    },
  }
}

/** Without the challenges that a reaction and its cancellation cancel out for. */
const withoutNone = (changes: readonly number[]): number[] =>
  changes.filter((_, i) => changes[i % 2 === 0 ? i + 1 : i] !== 0)
