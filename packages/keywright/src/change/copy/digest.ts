/* Digests of keys, the same whatever server holds them, in whatever order it keeps
 * them and in however many parts they were read.
 *
 * Of a short value all elements are digested at once, sorted where they have no order;
 * of a long one each by itself, and the digests are added up. Which of the two it is
 * depends on the number of elements alone. */

import { hash } from "node:crypto"
import type { Wire } from "../../driver/driver.ts"
import type { KeyType } from "./lines.ts"

const SHORT = 64

/** Elements of these types come in no order. */
const UNORDERED: Readonly<Partial<Record<KeyType, true>>> = { set: true, hash: true, zset: true }

/** Adds up 64 bits at a time: the order does not matter. */
export class DigestSum {
  #high = 0
  #low = 0

  static of(text: string): DigestSum {
    const sum = new DigestSum()
    sum.add(text)
    return sum
  }

  /** The first 16 hexadecimal digits of a digest. */
  add(digest: string): void {
    this.#high = (this.#high + Number.parseInt(digest.slice(0, 8), 16)) >>> 0
    this.#low = (this.#low + Number.parseInt(digest.slice(8, 16), 16)) >>> 0
  }

  toString(): string {
    return this.#high.toString(16).padStart(8, "0") + this.#low.toString(16).padStart(8, "0")
  }
}

/** A text and its length; bytes as what stands for them, which no text is. */
const spell = (wire: Wire): string =>
  typeof wire === "string" ? `${wire.length}:${wire}` : `b${wire.length}:${Buffer.from(wire).toString("base64")}`

/** Of a zset's score only the number counts, not its spelling. */
export const spellScore = (score: string): string => {
  const number = score === "inf" || score === "+inf" ? Infinity : score === "-inf" ? -Infinity : Number(score)
  return Object.is(number, -0) ? "0" : String(number)
}

/** The digest of one key, element by element. */
export class KeyDigest {
  readonly #type: KeyType
  #few: string[] | undefined = []
  readonly #many = new DigestSum()
  #count = 0

  constructor(type: KeyType) {
    this.#type = type
  }

  /** An element: a value, a member, a field and its value, a member and its score, an entry. */
  add(...parts: readonly Wire[]): void {
    let text = ""
    for (const part of parts) text += spell(part)
    this.#count++
    if (this.#few !== undefined && this.#few.length < SHORT) {
      this.#few.push(text)
      return
    }
    if (this.#few !== undefined) {
      const few = this.#few
      this.#few = undefined
      few.forEach((one, i) => this.#sum(one, i))
    }
    this.#sum(text, this.#count - 1)
  }

  #sum(text: string, at: number): void {
    this.#many.add(sha1(UNORDERED[this.#type] ? text : `${at} ${text}`))
  }

  /** 16 hexadecimal digits, of everything that there is to a key. */
  end(key: Wire, pexpireat: number | undefined): string {
    const few = this.#few
    if (few !== undefined && UNORDERED[this.#type]) few.sort()
    const body = few === undefined ? `${this.#count} ${this.#many.toString()}` : few.join("")
    return sha1(`${this.#type} ${pexpireat ?? ""} ${spell(key)}${body}`).slice(0, 16)
  }
}

const sha1 = (text: string): string => hash("sha1", text)
