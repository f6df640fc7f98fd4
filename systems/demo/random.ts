/* Chance that repeats itself: the same seed, the same demonstration. */

export interface Random {
  /** Zero up to, and without, `n`. */
  below(n: number): number
  pick<T>(of: readonly T[]): T
  /** Some of them, each once, in another order. */
  some<T>(of: readonly T[], n: number): T[]
  /** True so many times out of a hundred. */
  chance(percent: number): boolean
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  // mulberry32: 32 bits of state are plenty for choosing dishes.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
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
