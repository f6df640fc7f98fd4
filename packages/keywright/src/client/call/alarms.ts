/* When a wait is over: one timer for all waits of the process, set to the earliest of
 * them. Nearly every wait ends before its time, so what matters is the cost of an alarm
 * that never rings: an entry in a list. A separate timer for each wait costs ten times
 * that. A Set costs more than it seems: V8 links each table that a Set has outgrown to the
 * next one, so what was ever waited for stays in memory until the next full collection.
 *
 * The timer keeps no process alive: the connection whose call is waited for does. */

/** `globalThis.performance` is a getter, and slower than the clock behind it. */
const clock = performance

/** Milliseconds on a clock that only goes forward. */
export const now = (): number => clock.now()

export interface Alarm {
  readonly at: number
  readonly ring: () => void
  /** Where it is in `pending`; -1: it has rung or was cleared. */
  position: number
}

const LONGEST_MS = 2_147_483_647
/** Timers may be this early. */
const EARLY_MS = 1

const pending: Alarm[] = []
let timer: NodeJS.Timeout | undefined
let earliest = Infinity

/** Rings at a time given on the clock of `now()`, unless it is cleared first. */
export function setAlarm(at: number, ring: () => void): Alarm {
  const alarm = { at, ring, position: pending.length }
  pending.push(alarm)
  if (at < earliest) schedule(at)
  return alarm
}

/** False when it has rung. The last one takes its position. */
export function clearAlarm(alarm: Alarm): boolean {
  const { position } = alarm
  if (position < 0) return false
  const last = pending.pop()!
  last.position = position
  if (last !== alarm) pending[position] = last
  alarm.position = -1
  return true
}

function schedule(at: number): void {
  clearTimeout(timer)
  earliest = at
  timer = setTimeout(ringDue, Math.min(Math.max(1, Math.ceil(at - now())), LONGEST_MS)).unref()
}

function ringDue(): void {
  const time = now() + EARLY_MS
  const due = pending.filter(({ at }) => at <= time)
  earliest = Infinity
  for (const alarm of due) if (clearAlarm(alarm)) alarm.ring()
  const next = pending.reduce((soonest, { at }) => Math.min(soonest, at), Infinity)
  if (next < earliest) schedule(next)
}
