/* How long to wait before the next try: doubling, capped, and jittered, so that a
 * thousand clients do not reconnect in the same millisecond. The cap keeps the delay
 * under a second, except where a server refuses the user. */

import { isLasting } from "../server-errors.ts"

const FIRST_MS = 20
const LONGEST_MS = 500
const LONGEST_REFUSED_MS = 30_000
/** A link that is lost sooner than this counts as one that could not be made: the next delay is longer. */
export const STEADY_MS = 1000

/** `attempt` counts from 0. Between half of the step and the whole of it. */
export function backoffMs(attempt: number, firstMs = FIRST_MS, longestMs = LONGEST_MS): number {
  const step = Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 20))
  return step / 2 + Math.random() * (step / 2)
}

/** Before a subscription is tried again that failed so: a server that refuses its user is asked rarely in the end. */
export function backoffAfter(error: unknown, attempt: number): number {
  return backoffMs(attempt, FIRST_MS, isLasting(error) ? LONGEST_REFUSED_MS : LONGEST_MS)
}
