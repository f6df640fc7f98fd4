/* Which keys a walk has met already: SCAN may return a key twice, when the server's table
 * shrinks meanwhile. The first few thousand are kept as they are. Beyond them the memory
 * is fixed, whatever the number of keys: the first half of a key's hash chooses a slot, which
 * keeps the other half for the latest key. So a key that comes again is taken for a new one,
 * and counted twice, if another one has taken its slot since; and once in about four thousand
 * million keys a new one is taken for an old one. */

import { hashInto } from "./keyed-hash.ts"

const SLOTS = 1 << 21
const FEW = 4096

export class SeenKeys {
  readonly #few = new Set<string>()
  #slots: Uint32Array | undefined

  /** Notes a key; true when it was noted before. */
  has(key: string): boolean {
    if (this.#slots !== undefined) return noted(this.#slots, key)
    if (this.#few.has(key)) return true
    this.#few.add(key)
    if (this.#few.size > FEW) this.#slots = tableOf(this.#few)
    return false
  }
}

function tableOf(keys: Set<string>): Uint32Array {
  const slots = new Uint32Array(SLOTS)
  for (const key of keys) noted(slots, key)
  keys.clear()
  return slots
}

const hash = new Uint32Array(2)

function noted(slots: Uint32Array, key: string): boolean {
  hashInto(hash, 0, key)
  const slot = hash[0]! & (SLOTS - 1)
  const mark = hash[1]! || 1
  if (slots[slot] === mark) return true
  slots[slot] = mark
  return false
}
