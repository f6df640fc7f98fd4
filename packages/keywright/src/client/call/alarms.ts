/* When a wait is over: one timer for all waits of the process, set to the earliest of
 * them. Nearly every wait ends before its time, so what matters is the cost of an alarm
 * that never rings: an entry in a set. A separate timer for each wait costs ten times
 * that.
 *
 * The timer keeps no process alive: the connection whose call is waited for does. */

/** `globalThis.performance` is a getter, and slower than the clock behind it. */
const clock = performance

/** Milliseconds on a clock that only goes forward. */
export const now = (): number => clock.now()

export interface Alarm {
  readonly at: number
  readonly ring: () => void
}

const LONGEST_MS = 2_147_483_647
/** Timers may be this early. */
const EARLY_MS = 1

const pending = new Set<Alarm>()
let timer: NodeJS.Timeout | undefined
let earliest = Infinity

/** Rings at a time given on the clock of `now()`, unless it is cleared first. */
export function setAlarm(at: number, ring: () => void): Alarm {
  const alarm = { at, ring }
  pending.add(alarm)
  if (at < earliest) schedule(at)
  return alarm
}

/** False when it has rung. */
export const clearAlarm = (alarm: Alarm): boolean => pending.delete(alarm)

function schedule(at: number): void {
  clearTimeout(timer)
  earliest = at
  timer = setTimeout(ringDue, Math.min(Math.max(1, Math.ceil(at - now())), LONGEST_MS)).unref()
}

function ringDue(): void {
  const due = now() + EARLY_MS
  let next = Infinity
  earliest = Infinity
  for (const alarm of pending) {
    if (alarm.at > due) next = Math.min(next, alarm.at)
    else if (pending.delete(alarm)) alarm.ring()
  }
  if (next < earliest) schedule(next)
}
