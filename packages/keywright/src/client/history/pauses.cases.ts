/* When a process could not run: its event loop is asked every few milliseconds, and late
 * ticks show how long it was paused, by its own work, by the garbage collector or because
 * the machine ran other processes. */

import type { Pause } from "./history.cases.ts"

const EVERY_MS = 5
const LEAST_MS = 5

/** Milliseconds of the clock that all processes of a machine share. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6

export function watchPauses(onPause: (pause: Pause) => void): { stop(): void } {
  let last = now()
  const timer = setInterval(() => {
    const at = now()
    if (at - last > EVERY_MS + LEAST_MS) onPause({ from: last + EVERY_MS, to: at })
    last = at
  }, EVERY_MS)
  return { stop: () => clearInterval(timer) }
}
