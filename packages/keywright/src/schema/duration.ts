import { durationRefused, durationTooLong } from "../errors/define.ts"

/** `"30s"`, `"10m"`, `"1.5h"` */
export type Duration = `${number}${"ms" | "s" | "m" | "h" | "d"}`

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `"10m"` → `600000`. A whole number of milliseconds, greater than zero. */
export function toMs(duration: Duration): number {
  const [, count, unit] = (typeof duration === "string" && /^([\d.]+)(ms|[smhd])$/.exec(duration)) || []
  const ms = Math.round(Number(count) * units[unit as keyof typeof units])
  if (!(ms > 0 && ms < 9e15)) throw durationRefused(duration)
  return ms
}

/**
 * The longest life of anything that the toolkit notes for a while: who has a lease, what an operation answered. Timers of
 * the engine end at 25 days; a lease is renewed after a third of its time.
 */
export const LONGEST_NOTED: Duration = "30d"

/** And how long a loader or a writer of what is cached may take. */
export const LONGEST_FILL: Duration = "1h"

/** As `toMs`, of a duration that may not be longer than this one. */
export function toMsUpTo(duration: Duration, longest: Duration): number {
  const ms = toMs(duration)
  if (ms > toMs(longest)) throw durationTooLong(duration, longest)
  return ms
}

/** `600000` → `"10m"`: the largest unit that stays whole. */
export function fromMs(ms: number): Duration {
  const unit = (["d", "h", "m", "s"] as const).find((name) => ms % units[name] === 0) ?? "ms"
  return `${ms / units[unit]}${unit}`
}
