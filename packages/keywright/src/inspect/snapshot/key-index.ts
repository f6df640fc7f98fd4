/* Where each key of one logical database is in the file: a hash and an offset, 16
 * bytes a key, and a table from hash to number. Keys are numbered as the file has them.
 * Keys with the same 64-bit hash are taken for the same key; no file can be made for that,
 * since its key is new in each process. */

import type { Wire } from "../../driver/driver.ts"
import { LONGEST_NAME, shortName } from "../rdb/index.ts"
import { asWire, wireName } from "../walk/wire.ts"
import { hashInto } from "../walk/keyed-hash.ts"

/** Bytes between two keys that are read along, rather than read twice. */
export const GAP = 4096

const hash = new Uint32Array(2)

export class KeyIndex {
  readonly db: number
  length = 0
  /** Where the last key ends. */
  end = 0
  #offsets = new Float64Array(64)
  #hashes = new Uint32Array(128)
  /** Where those keys end that are followed by more than a gap of what is not here: expired keys, other databases. */
  readonly #ends = new Map<number, number>()
  #table = new Int32Array(0)
  /** Several commands in a row ask for one key. */
  #last: { readonly key: Wire; readonly number: number } = { key: "", number: -1 }

  constructor(db: number) {
    this.db = db
  }

  add(key: Wire, offset: number, size: number): void {
    const number = this.length++
    if (number > 0 && offset - this.end > GAP) this.#ends.set(number - 1, this.end)
    if (number === this.#offsets.length) this.#grow()
    this.#offsets[number] = offset
    hashInto(this.#hashes, 2 * number, wireName(key))
    this.end = offset + size
  }

  /** When all keys are there: makes them findable. */
  seal(): void {
    this.#offsets = this.#offsets.slice(0, this.length)
    this.#hashes = this.#hashes.slice(0, 2 * this.length)
    let slots = 16
    while (slots < 2 * this.length) slots *= 2
    this.#table = new Int32Array(slots)
    for (let number = 0; number < this.length; number++) {
      const slot = this.#slotOf(this.#hashes[2 * number]!, this.#hashes[2 * number + 1]!)
      // If a file has a key several times, which no server writes, the first one is found.
      if (this.#table[slot] === 0) this.#table[slot] = number + 1
    }
  }

  /** The number of a key; -1 when it is not there. */
  find(key: Wire): number {
    if (key !== this.#last.key || key === "") this.#last = { key, number: this.#lookUp(key) }
    return this.#last.number
  }

  #lookUp(key: Wire): number {
    hashInto(hash, 0, wireName(isLong(key) ? asWire(shortName(Buffer.from(key))) : key))
    return this.#table[this.#slotOf(hash[0]!, hash[1]!)]! - 1
  }

  /** The slot of the key with this hash, or the free slot where it would go. */
  #slotOf(first: number, second: number): number {
    const mask = this.#table.length - 1
    for (let slot = first & mask; ; slot = (slot + 1) & mask) {
      const number = this.#table[slot]! - 1
      if (number < 0 || (this.#hashes[2 * number] === first && this.#hashes[2 * number + 1] === second)) return slot
    }
  }

  offset(number: number): number {
    return this.#offsets[number]!
  }

  /** Where a key ends at the latest. */
  endOf(number: number): number {
    return number + 1 === this.length ? this.end : (this.#ends.get(number) ?? this.#offsets[number + 1]!)
  }

  #grow(): void {
    const offsets = new Float64Array(2 * this.length)
    offsets.set(this.#offsets)
    const hashes = new Uint32Array(4 * this.length)
    hashes.set(this.#hashes)
    this.#offsets = offsets
    this.#hashes = hashes
  }
}

/** The file's own name of it is shortened then. */
const isLong = (key: Wire): boolean =>
  3 * key.length > LONGEST_NAME && (typeof key === "string" ? Buffer.byteLength(key) : key.length) > LONGEST_NAME
