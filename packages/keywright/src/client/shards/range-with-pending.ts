/* A part of a sorted set as it would be with the amounts added that are still on their way,
 * read without reading all of it.
 *
 * With p members whose scores change, the others move by at most p places. So a window that
 * is p places wider on both sides has all that the part can contain, and the places before
 * it hold only members that come before the part. */

import { compareRanked, type RankedMember } from "./merge-ranges.ts"

export interface Window {
  /** The place of the first of `ranked` in the target. */
  readonly start: number
  readonly ranked: readonly RankedMember[]
  /** Members with an amount on its way: their scores in the target, where they have one, and with the amount. */
  readonly changed: readonly { readonly before: RankedMember | undefined; readonly after: RankedMember }[]
  readonly reverse: boolean
}

/** The first and the last position of the target that have to be read. */
export const windowFor = (offset: number, count: number, changed: number): readonly [from: number, to: number] => [
  Math.max(0, offset - changed),
  offset + count - 1 + changed,
]

export function rangeWithPending(
  { start, ranked, changed, reverse }: Window,
  offset: number,
  count: number,
  nameOf: (one: RankedMember) => string,
): RankedMember[] {
  const [first] = ranked
  if (first === undefined && start > 0) return []
  const compare = reverse ? (a: RankedMember, b: RankedMember) => compareRanked(b, a) : compareRanked
  const gone = new Set(changed.map(({ after }) => nameOf(after)))
  const movedAway = changed.filter(({ before }) => before !== undefined && start > 0 && compare(before, first!) < 0)
  const all = [...ranked.filter((one) => !gone.has(nameOf(one))), ...changed.map(({ after }) => after)].sort(compare)
  const unread = start - movedAway.length
  return all.slice(Math.max(0, offset - unread), Math.max(0, offset + count - unread))
}
