/* How long this process could not run at a stretch: what a deadline may be late by
 * without anybody being at fault. */

const EVERY_MS = 5

export interface MachinePauses {
  /** The longest so far, in milliseconds. */
  readonly longestMs: number
  stop(): void
}

export function watchPauses(): MachinePauses {
  let longestMs = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    longestMs = Math.max(longestMs, now - last - EVERY_MS)
    last = now
  }, EVERY_MS)
  return {
    get longestMs() {
      return longestMs
    },
    stop: () => clearInterval(timer),
  }
}
