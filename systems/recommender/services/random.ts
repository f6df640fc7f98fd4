/* Chance, which repeats itself when it is given a seed. */

import { numbersFrom } from "../../platform/random.ts"

export interface RandomBelow {
  /** Zero up to, and without, `n`. */
  below(n: number): number
}

export function randomFrom(seed: string | undefined): RandomBelow {
  if (seed === undefined) return { below: (n) => Math.floor(Math.random() * n) }
  // FNV-1a makes a number of the text.
  let hash = 0x811c9dc5
  for (const char of seed) hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193)
  const next = numbersFrom(hash)
  return { below: (n) => Math.floor(next() * n) }
}

/** All of them, each once, in any order; what is not asked for is not shuffled. */
export function* shuffled<T>(all: readonly T[], random: RandomBelow): Generator<T> {
  const moved = new Map<number, number>()
  for (let i = 0; i < all.length; i++) {
    const chosen = i + random.below(all.length - i)
    yield all[moved.get(chosen) ?? chosen]!
    moved.set(chosen, moved.get(i) ?? i)
    moved.delete(i)
  }
}
