/* Which keys a walk has met already: SCAN may give a key twice, when the server's
 * table shrinks meanwhile. The memory is fixed, whatever the number of keys: one
 * slot per hash, which keeps the latest key's other hash. So a key may be taken for
 * a new one that was met more than a million keys ago (it is then counted twice),
 * and once in about four thousand million keys a new one for an old one. */

import { hashText, OTHER_SEED } from "./hash-text.ts"

const SLOTS = 1 << 21

export class SeenKeys {
  readonly #slots = new Uint32Array(SLOTS)

  /** Notes a key; true when it was noted before. */
  has(key: string): boolean {
    const slot = hashText(key) & (SLOTS - 1)
    const mark = hashText(key, OTHER_SEED) || 1
    if (this.#slots[slot] === mark) return true
    this.#slots[slot] = mark
    return false
  }
}
