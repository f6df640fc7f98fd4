/* A sample of distinct texts in fixed memory: those with the smallest hashes. Two
 * sketches keep the same texts of what they share, so that the overlap can be estimated
 * without keeping either in full. */

import { finish, hashText, SEED } from "../../walk/hash-text.ts"

const MOST = 512
/** Small whole numbers: the engine keeps them without a box each. */
const RANGE = 2 ** 30

export class Sketch {
  readonly #hashes = new Set<number>()
  /** Hashes below this are all kept. */
  #limit = RANGE

  /** Takes a part of the text. */
  add(text: string, start = 0, end = text.length): void {
    let state = SEED
    for (let i = start; i < end; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193)
    const hash = finish(state) >>> 2
    if (hash >= this.#limit) return
    this.#hashes.add(hash)
    if (this.#hashes.size >= MOST) this.#shrink()
  }

  #shrink(): void {
    this.#limit = Math.ceil(this.#limit / 2)
    for (const hash of this.#hashes) if (hash >= this.#limit) this.#hashes.delete(hash)
  }

  /** Whether the text was there; undefined when that is not known. */
  has(text: string): boolean | undefined {
    const hash = hashText(text) >>> 2
    return hash < this.#limit ? this.#hashes.has(hash) : undefined
  }

  get isEmpty(): boolean {
    return this.#hashes.size === 0
  }

  /** About how many distinct texts there were. */
  get distinct(): number {
    return Math.round((this.#hashes.size * RANGE) / this.#limit)
  }

  /** The share of this one's texts that are in the other, and the number of texts that this is based on. */
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
