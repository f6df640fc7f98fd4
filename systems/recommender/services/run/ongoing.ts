/* The challenges that are going on, as a run sees them: on_clg_info, after the new ones
 * were added. They leave it at the end of the run whose date they finish on (REC-C15). */

import { reactedTo } from "../../source/reading.ts"
import { inPieces } from "../in-pieces.ts"
import { outOfRange } from "../out-of-range.ts"
import type { NightlyRun } from "./run.ts"

export interface ChallengeInfo {
  readonly category: number
  readonly isPublic: boolean
  readonly duration: number
  readonly finishedDate: string
}
export type Ongoing = ReadonlyMap<number, ChallengeInfo>

/**
 * Challenges with a valid category: one with an unknown category is skipped and reported, like one that cannot be read.
 */
export async function readOngoing({ context: { db, lenient }, categories }: NightlyRun): Promise<Ongoing> {
  const found = await db.challenges().all(lenient)
  for (const [id, { category }] of found) {
    if (category >= 0 && category < categories) continue
    found.delete(id)
    lenient.onUndecodable(outOfRange(db.challenges(), db.challenges.pattern, "a category", `0 to ${categories - 1}`))
  }
  return found
}

/** It ends with this run: a reaction to it now expresses no preference for anything that remains. */
export const endsWith = (run: NightlyRun, { finishedDate }: ChallengeInfo): boolean => finishedDate <= run.date

const AT_ONCE = 1000

/**
 * Takes finished challenges out of users' preferences, and then out of on_clg_info: in this order, so that a run
 * that is cut short in between is made up for by the next.
 */
export async function dropFinished(run: NightlyRun, ongoing: Ongoing, before: ReadonlySet<number>): Promise<void> {
  const { db, source } = run.context
  const finished = [...ongoing].filter(([, info]) => endsWith(run, info)).map(([id]) => id)
  for (const challenge of finished) {
    // Nobody has a preference for a challenge that is as new as this run.
    if (!before.has(challenge)) continue
    const users = await source.ask((sql) => reactedTo(sql, challenge))
    for (const some of inPieces(users, AT_ONCE))
      await Promise.all(some.map(({ user }) => db.user.preferences({ user }).remove(challenge)))
  }
  for (const some of inPieces(finished, AT_ONCE)) await db.challenges().removeMany(some)
}
