/* A set of texts that keeps only a hash of each, 8 bytes: for millions of ids. Once in
 * 2^64 times a text is taken for another one. */

import { hashInto } from "./keyed-hash.ts"

const FIRST_SLOTS = 1 << 10
const hash = new Uint32Array(2)

export class TextSet {
  #size = 0
  #marks = new Uint32Array(2 * FIRST_SLOTS)

  get size(): number {
    return this.#size
  }

  add(text: string): void {
    hashInto(hash, 0, text)
    if (this.#put(hash[0]!, hash[1]! || 1) && ++this.#size * 4 > this.#marks.length) this.#grow()
  }

  has(text: string): boolean {
    hashInto(hash, 0, text)
    const at = this.#slotOf(hash[0]!, hash[1]! || 1)
    return this.#marks[at + 1] !== 0
  }

  /** The slot of the pair, or the free slot where it would go. The second half is never 0: that marks a free slot. */
  #slotOf(one: number, other: number): number {
    const last = this.#marks.length / 2 - 1
    let slot = one & last
    for (;;) {
      const [first, second] = [this.#marks[2 * slot]!, this.#marks[2 * slot + 1]!]
      if (second === 0 || (first === one && second === other)) return 2 * slot
      slot = (slot + 1) & last
    }
  }

  #put(one: number, other: number): boolean {
    const at = this.#slotOf(one, other)
    if (this.#marks[at + 1] !== 0) return false
    this.#marks[at] = one
    this.#marks[at + 1] = other
    return true
  }

  #grow(): void {
    const old = this.#marks
    this.#marks = new Uint32Array(old.length * 2)
    for (let at = 0; at < old.length; at += 2) if (old[at + 1] !== 0) this.#put(old[at]!, old[at + 1]!)
  }
}
