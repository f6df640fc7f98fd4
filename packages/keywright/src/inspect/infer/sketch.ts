/* A sample of distinct texts in fixed memory: those with the smallest hashes. Two
 * sketches keep the same texts of what they share, so that how much of one stands in
 * the other can be told without keeping either. */

import { finish, hashText, SEED } from "../hash-text.ts"

const SIZE = 512

export class Sketch {
  #hashes = new Set<number>()
  /** Hashes below this are all kept. */
  #limit = 2 ** 32

  /** Takes a part of the text. */
  add(text: string, start = 0, end = text.length): void {
    let state = SEED
    for (let i = start; i < end; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193)
    const hash = finish(state)
    if (hash >= this.#limit) return
    this.#hashes.add(hash)
    if (this.#hashes.size >= 2 * SIZE) this.#shrink()
  }

  #shrink(): void {
    const sorted = Float64Array.from(this.#hashes).sort()
    this.#limit = sorted[SIZE]!
    this.#hashes = new Set(sorted.subarray(0, SIZE))
  }

  /** Whether the text was there; undefined when that is not known. */
  has(text: string): boolean | undefined {
    const hash = hashText(text)
    return hash < this.#limit ? this.#hashes.has(hash) : undefined
  }

  get isEmpty(): boolean {
    return this.#hashes.size === 0
  }

  /** About how many distinct texts there were. */
  get distinct(): number {
    return Math.round((this.#hashes.size * 2 ** 32) / this.#limit)
  }

  /** The share of this one's texts that stand in the other, and of how many that is known. */
  within(other: Sketch): { readonly share: number; readonly of: number } {
    const limit = Math.min(this.#limit, other.#limit)
    let [of, shared] = [0, 0]
    for (const hash of this.#hashes) {
      if (hash >= limit) continue
      of++
      if (other.#hashes.has(hash)) shared++
    }
    return { share: of === 0 ? 0 : shared / of, of }
  }
}
