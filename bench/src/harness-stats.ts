/* The arithmetic of a ratio: quantiles over rounds, and whether a goal is met. */

export interface Summary {
  readonly median: number
  /** Lower and upper quartile. */
  readonly spread: readonly [number, number]
  readonly range: readonly [number, number]
}

/** The value below which the share `q` of the samples lies, interpolated. */
export function quantile(samples: readonly number[], q: number): number {
  if (samples.length === 0) throw new RangeError("a quantile needs at least one sample")
  const sorted = [...samples].sort((a, b) => a - b)
  const position = (sorted.length - 1) * q
  const low = sorted[Math.floor(position)] as number
  const high = sorted[Math.ceil(position)] as number
  return low + (high - low) * (position - Math.floor(position))
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5)

export function summarize(samples: readonly number[]): Summary {
  return {
    median: median(samples),
    spread: [quantile(samples, 0.25), quantile(samples, 0.75)],
    range: [quantile(samples, 0), quantile(samples, 1)],
  }
}

export interface Goal {
  readonly sign: ">=" | "<=" | ">" | "<"
  readonly bound: number
}

export type GoalText = `${Goal["sign"]}${number}`

export function parseGoal(text: string): Goal {
  const match = /^(>=|<=|>|<)\s*(\d+(?:\.\d+)?)$/.exec(text)
  if (match === null) throw new SyntaxError(`a goal reads ">=0.95" or "<=0.7", not "${text}"`)
  return { sign: match[1] as Goal["sign"], bound: Number(match[2]) }
}

/** Goals between these are about "as fast as": noise decides them, so noise is allowed for. */
const NEAR_ONE = [0.8, 1.25] as const
const MOST_ALLOWED = 0.05

/**
 * Whether a value meets a goal. A goal near 1 is moved by as much as the same
 * work differs from itself (the quartiles of the A/A ratio), 5 % at most.
 */
export function isMet(value: number, goal: Goal, aa?: Summary): boolean {
  const near = aa !== undefined && goal.bound >= NEAR_ONE[0] && goal.bound <= NEAR_ONE[1]
  const below = near ? Math.min(Math.max(1 - aa.spread[0], 0), MOST_ALLOWED) : 0
  const above = near ? Math.min(Math.max(aa.spread[1] - 1, 0), MOST_ALLOWED) : 0
  switch (goal.sign) {
    case ">=":
      return value >= goal.bound * (1 - below)
    case ">":
      return value > goal.bound * (1 - below)
    case "<=":
      return value <= goal.bound * (1 + above)
    case "<":
      return value < goal.bound * (1 + above)
  }
}
