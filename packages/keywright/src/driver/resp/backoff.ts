/* How long to wait before the next try: doubling, capped, and jittered, so that a
 * thousand clients do not reconnect in the same millisecond. The cap keeps the delay
 * under a second. */

const FIRST_MS = 20
const LONGEST_MS = 500

/** `attempt` counts from 0. Between half of the step and the whole of it. */
export function backoffMs(attempt: number, firstMs = FIRST_MS, longestMs = LONGEST_MS): number {
  const step = Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 20))
  return step / 2 + Math.random() * (step / 2)
}
