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
  for (const i of shuffledBelow(all.length, random)) yield all[i]!
}

/** The same for several lists one after another, which are not put together for it. */
export function* shuffledTogether<T>(lists: readonly (readonly T[])[], random: RandomBelow): Generator<T> {
  let length = 0
  const ends = lists.map((list) => (length += list.length))
  for (const i of shuffledBelow(length, random)) {
    const list = firstAbove(ends, i)
    yield lists[list]![i - (ends[list - 1] ?? 0)]!
  }
}

/** Zero up to, and without, `n`, each once, in any order. */
function* shuffledBelow(n: number, random: RandomBelow): Generator<number> {
  const moved = new Map<number, number>()
  for (let i = 0; i < n; i++) {
    const chosen = i + random.below(n - i)
    yield moved.get(chosen) ?? chosen
    moved.set(chosen, moved.get(i) ?? i)
    moved.delete(i)
  }
}

/** The index of the first number, of some that ascend, that is greater than `n`. */
function firstAbove(numbers: readonly number[], n: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! > n) high = middle
    else low = middle + 1
  }
  return low
}
