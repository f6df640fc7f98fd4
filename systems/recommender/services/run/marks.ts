/* Marks of records that were passed over. What a run that was cut short has marked beyond
 * its cursor is void, and decided again: the pool may have changed since. But where a shard
 * has applied records of a user already, they were decided for good, and so were those of the
 * same user that were passed over before them. */

import { markedBetween, unmark, voidMarks } from "../../source/reading.ts"
import { inPieces } from "../in-pieces.ts"
import type { NightlyRun } from "./run.ts"

const AT_ONCE = 500

export async function voidUndecided(run: NightlyRun, sequence: "post" | "reaction"): Promise<void> {
  const { cursors, fences, context } = run
  const table = `recommender_${sequence}` as const
  const cursor = cursors[sequence]
  const decided = Math.max(cursor, fences?.highest(sequence) ?? 0)
  await context.source.ask((sql) => voidMarks(sql, table, decided))
  if (decided === cursor) return
  const marked = await context.source.ask((sql) => markedBetween(sql, table, cursor, decided))
  const ids = marked.filter(({ id, user }) => !isDecided(run, sequence, id, user)).map(({ id }) => id)
  for (const some of inPieces(ids, AT_ONCE)) await context.source.ask((sql) => unmark(sql, table, some))
}

/** An earlier run has applied it, or passed it over for good. */
export const isDecided = ({ fences }: NightlyRun, sequence: "post" | "reaction", id: number, user: number): boolean =>
  fences?.isApplied(sequence, user, id) === true
