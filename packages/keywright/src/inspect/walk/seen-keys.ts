/* Which keys a walk has met already: SCAN may give a key twice, when the server's
 * table shrinks meanwhile. The memory is fixed, whatever the number of keys: one
 * slot per hash, which keeps the latest key's other hash. So a key may be taken for
 * a new one that was met more than a million keys ago (it is then counted twice),
 * and once in about four thousand million keys a new one for an old one. */

import { FACTOR, finish, OTHER_SEED, SEED } from "./hash-text.ts"

const SLOTS = 1 << 21

export class SeenKeys {
  readonly #slots = new Uint32Array(SLOTS)

  /** Notes a key; true when it was noted before. Both hashes in one go: this is done for every key. */
  has(key: string): boolean {
    let one = SEED
    let other = OTHER_SEED
    for (let i = 0; i < key.length; i++) {
      const code = key.charCodeAt(i)
      one = Math.imul(one ^ code, FACTOR)
      other = Math.imul(other ^ code, FACTOR)
    }
    const slot = finish(one) & (SLOTS - 1)
    const mark = finish(other) || 1
    if (this.#slots[slot] === mark) return true
    this.#slots[slot] = mark
    return false
  }
}
