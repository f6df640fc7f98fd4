/* Randomness that repeats itself: the same seed, the same demonstration. */

import { numbersFrom } from "../platform/random.ts"

export interface Random {
  /** Zero up to, and without, `n`. */
  below(n: number): number
  pick<T>(of: readonly T[]): T
  /** Some of them, each once, in another order. */
  some<T>(of: readonly T[], n: number): T[]
  /** True with this probability, in percent. */
  chance(percent: number): boolean
}

export function randomFrom(seed: number): Random {
  const next = numbersFrom(seed)
  const below = (n: number) => Math.floor(next() * n)
  return {
    below,
    pick: (of) => of[below(of.length)]!,
    some(of, n) {
      const left = [...of]
      return Array.from({ length: Math.min(n, of.length) }, () => left.splice(below(left.length), 1)[0]!)
    },
    chance: (percent) => next() * 100 < percent,
  }
}
