/* Digests of keys, the same whatever server holds them, in whatever order it keeps them
 * and in however many parts they were read: they detect accidental damage or change, not
 * deliberate tampering.
 *
 * A digest is two hashes of 32 bits, each over all code units of all texts and their
 * lengths. Elements without an order are hashed separately, and the hashes are added up. */

import type { Wire } from "../../driver/driver.ts"
import type { KeyType } from "./lines.ts"

/** Two hashes on their way. */
export interface Hashes {
  high: number
  low: number
}

const HIGH = 0x2c1b3c6d
const LOW = 0x297a2d39
export const HIGH_FACTOR = 0x9e3779b1
export const LOW_FACTOR = 0x5f356495
/** Precedes bytes that are not text: no code unit is as large. */
const BYTES = 0x10000

/** Elements of these types have no order. */
const UNORDERED: Readonly<Partial<Record<KeyType, true>>> = { set: true, hash: true, zset: true }

export function feedNumber(hashes: Hashes, number: number): void {
  hashes.high = Math.imul(hashes.high ^ number, HIGH_FACTOR)
  hashes.low = Math.imul(hashes.low ^ number, LOW_FACTOR)
}

export function feed(hashes: Hashes, wire: Wire): void {
  if (typeof wire !== "string") feedNumber(hashes, BYTES)
  feedNumber(hashes, wire.length)
  let { high, low } = hashes
  if (typeof wire === "string")
    for (let i = 0; i < wire.length; i++) {
      const code = wire.charCodeAt(i)
      high = Math.imul(high ^ code, HIGH_FACTOR)
      low = Math.imul(low ^ code, LOW_FACTOR)
    }
  else
    for (let i = 0; i < wire.length; i++) {
      high = Math.imul(high ^ wire[i]!, HIGH_FACTOR)
      low = Math.imul(low ^ wire[i]!, LOW_FACTOR)
    }
  hashes.high = high
  hashes.low = low
}

/** Every bit of either depends on every bit of both. */
function spread(hashes: Hashes): void {
  let { high, low } = hashes
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35)
  hashes.high = high
  hashes.low = low
}

/** Digests added up: the order does not matter. */
export class DigestSum implements Hashes {
  high = 0
  low = 0

  /** From 16 hexadecimal digits. */
  static of(text: string): DigestSum {
    const sum = new DigestSum()
    sum.high = Number.parseInt(text.slice(0, 8), 16) | 0
    sum.low = Number.parseInt(text.slice(8, 16), 16) | 0
    return sum
  }

  add({ high, low }: Hashes): void {
    this.high = (this.high + high) | 0
    this.low = (this.low + low) | 0
  }

  toString(): string {
    return digits(this.high) + digits(this.low)
  }
}

const digits = (half: number): string => (half >>> 0).toString(16).padStart(8, "0")

/** The digest of one key: its name is fed first, then its elements. */
export class KeyDigest implements Hashes {
  high = HIGH
  low = LOW
  readonly #type: KeyType
  readonly #isUnordered: boolean
  readonly #sum = new DigestSum()
  #count = 0

  constructor(type: KeyType) {
    this.#type = type
    this.#isUnordered = UNORDERED[type] === true
  }

  static of(type: KeyType, key: Wire): KeyDigest {
    const digest = new KeyDigest(type)
    feed(digest, key)
    digest.next()
    return digest
  }

  /** An element: a value, a member, a field and its value, a member and its score, an entry. */
  add(...parts: readonly Wire[]): void {
    for (const part of parts) feed(this, part)
    this.next()
  }

  /** What was fed until now is an element; the first one is the key's name. */
  next(): void {
    if (this.#isUnordered) {
      if (this.#count === 0) feedNumber(this, BYTES)
      spread(this)
      this.#sum.add(this)
      this.high = HIGH
      this.low = LOW
    }
    this.#count++
  }

  /** Call this when the whole key has been fed: it returns the digest. */
  end(pexpireat: number | undefined): this {
    if (this.#isUnordered) {
      feedNumber(this, this.#sum.high)
      feedNumber(this, this.#sum.low)
    }
    feedNumber(this, this.#count)
    feed(this, this.#type)
    feed(this, pexpireat === undefined ? "" : String(pexpireat))
    spread(this)
    return this
  }

  toString(): string {
    return digits(this.high) + digits(this.low)
  }
}

/** Only the number of a score counts, not its spelling. */
export const spellScore = (score: string): string => {
  if (isPlain(score)) return score
  const number = score === "inf" || score === "+inf" ? Infinity : score === "-inf" ? -Infinity : Number(score)
  return Object.is(number, -0) ? "0" : String(number)
}

/** A whole number that is spelled in one way only. */
function isPlain(score: string): boolean {
  if (score.length > 15 || score.charCodeAt(0) === 48) return score === "0"
  for (let i = 0; i < score.length; i++) {
    const code = score.charCodeAt(i)
    if (code < 48 || code > 57) return false
  }
  return score.length > 0
}
