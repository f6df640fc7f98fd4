/* Time is an input. The application's clock may be set to start at another instant
 * (`--clock`), and runs on from there; expiry stays the server's own. */

export interface Clock {
  now(): Date
  /** Unix seconds with a fraction, for scores. Never the same twice, so that two events keep their order. */
  seconds(): number
}

/** The machine's clock, or one that begins at `from` now. */
export function startClock(from?: Date): Clock {
  const aheadMs = from === undefined ? 0 : from.getTime() - Date.now()
  let lastMicros = 0
  return {
    now: () => new Date(Date.now() + aheadMs),
    seconds() {
      lastMicros = Math.max((Date.now() + aheadMs) * 1000, lastMicros + 1)
      return lastMicros / 1_000_000
    },
  }
}
