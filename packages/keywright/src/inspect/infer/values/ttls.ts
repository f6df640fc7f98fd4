/* When keys of a pattern go away, from the spread of their remaining times. */

import { fromMs, toMs, type Duration } from "../../../schema/duration.ts"
import { ttls as limits } from "../thresholds.ts"

export type TtlClass = "none" | "fixed" | "sliding" | "mixed"

export class Ttls {
  without = 0
  count = 0
  longest = 0
  shortest = Infinity

  /** As PTTL has it: -1 for none. */
  add(ttlMs: number): void {
    if (ttlMs < 0) {
      this.without++
      return
    }
    this.count++
    if (ttlMs > this.longest) this.longest = ttlMs
    if (ttlMs < this.shortest) this.shortest = ttlMs
  }

  /** Where deadlines move with every use, nearly none is far gone. */
  get class(): TtlClass {
    if (this.count === 0) return "none"
    if (this.without > 0) return "mixed"
    return this.count >= limits.leastSliding &&
      this.shortest >= limits.leastLeft * this.longest &&
      this.shortest < limits.mostLeft * this.longest
      ? "sliding"
      : "fixed"
  }

  /** Whether it can hardly be chance: many that never expire, or deadlines that show how long the longest one is. */
  get isDecided(): boolean {
    if (this.count === 0) return this.without >= limits.leastNever
    if (this.longest >= limits.nearlyAll * toMs(this.duration!)) return true
    return this.count >= limits.leastSpread && this.shortest <= limits.mostSpread * this.longest
  }

  /** The shortest time that a person would have chosen and that no key exceeds. */
  get duration(): Duration | undefined {
    return this.count === 0 ? undefined : roundUp(this.longest)
  }
}

const CHOICES: readonly Duration[] = [
  ...([1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90].map((n) => `${n}s`) as Duration[]),
  ...([2, 3, 5, 10, 15, 20, 30, 45, 60, 90].map((n) => `${n}m`) as Duration[]),
  ...([2, 3, 4, 6, 8, 12, 18, 24, 36].map((n) => `${n}h`) as Duration[]),
  ...([
    2, 3, 4, 5, 6, 7, 10, 14, 15, 21, 28, 30, 31, 45, 60, 90, 100, 120, 180, 365, 366, 400, 730, 1000, 1095, 1825, 3650,
  ].map((n) => `${n}d`) as Duration[]),
]

const DAY = 86_400_000
/** No longer time can be declared. */
const MOST_DAYS = 104_166_666

export function roundUp(ms: number): Duration {
  const found = CHOICES.find((choice) => toMs(choice) >= ms)
  return fromMs(found === undefined ? Math.min(Math.ceil(ms / DAY), MOST_DAYS) * DAY : toMs(found))
}
