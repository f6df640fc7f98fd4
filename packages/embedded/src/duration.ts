import { badOption } from "./errors.ts"

/**
 * Milliseconds, or a number with a unit: `ms`, `s`, `m`, `h`, `d` or `w`.
 * @example
 * const day: Duration = "24h"
 */
export type Duration = number | `${number}${keyof typeof unitMs}`

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** The duration in whole milliseconds. Time does not go back: negative ones are refused. */
export function durationMs(duration: Duration): number {
  const ms = typeof duration === "number" ? duration : parse(duration)
  if (Number.isFinite(ms) && ms >= 0) return Math.round(ms)
  throw badOption(
    `${JSON.stringify(duration)} is not a duration`,
    'Write milliseconds, or for example "30s", "11m", "2h".',
  )
}

function parse(text: string): number {
  const found = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/.exec(text)
  return found ? Number(found[1]) * unitMs[found[2] as keyof typeof unitMs] : Number.NaN
}
