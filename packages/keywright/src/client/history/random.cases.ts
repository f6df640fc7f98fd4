/* Chance that can be repeated: the same seed, the same numbers. */

export interface Random {
  /** A whole number from 0 on. */
  below(count: number): number
  of<T>(choices: readonly T[]): T
}

/** mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (count: number) => Math.floor(next() * count)
  return { below, of: (choices) => choices[below(choices.length)]! }
}
