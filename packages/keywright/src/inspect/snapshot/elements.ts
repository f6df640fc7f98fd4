/* The elements of a key of a file as a server prints them; where each of them is; and the order of
 * a sorted set. Of large collections, elements are made of their bytes when they are asked for, and
 * what is remembered of each is a few bytes. */

import { getRandomValues } from "node:crypto"
import type { Wire } from "../../driver/driver.ts"
import type { PackedAtoms } from "../rdb/index.ts"
import { hashText } from "../walk/hash-text.ts"
import { asWire, wireName } from "../walk/wire.ts"
import { scoreNumber, scoreText } from "./score.ts"

/** An array is one. */
export interface Elements {
  readonly length: number
  at(index: number): Wire | undefined
  slice(from: number, to?: number): readonly Wire[]
}

export class PackedElements implements Elements {
  readonly length: number
  readonly #atoms: PackedAtoms
  readonly #areScored: boolean

  constructor(atoms: PackedAtoms, areScored: boolean) {
    this.length = atoms.length
    this.#atoms = atoms
    this.#areScored = areScored
  }

  at(index: number): Wire | undefined {
    if (index >= this.length) return undefined
    const atom = this.#atoms.at(index)
    if (typeof atom !== "number") return atom
    return this.#areScored && index % 2 === 1 ? scoreText(atom) : String(atom)
  }

  slice(from: number, to = this.length): readonly Wire[] {
    const found: Wire[] = []
    for (let at = from; at < Math.min(to, this.length); at++) found.push(this.at(at)!)
    return found
  }
}

/** No file can be made for collisions: the seed is new in each process. */
const [SEED] = getRandomValues(new Uint32Array(1)) as unknown as readonly [number]

/** From an element to its first position: a table of positions by hash. */
export class Places {
  readonly #elements: Elements
  /** Position plus one; 0 for none. */
  readonly #table: Uint32Array

  constructor(elements: Elements, width: 1 | 2) {
    this.#elements = elements
    let slots = 16
    while (slots < (2 * elements.length) / width) slots *= 2
    this.#table = new Uint32Array(slots)
    for (let at = 0; at < elements.length; at += width) {
      const slot = this.#slotOf(exactName(elements.at(at)!))
      if (this.#table[slot] === 0) this.#table[slot] = at + 1
    }
  }

  /** -1 when it is not there. */
  find(element: Wire): number {
    return this.#table[this.#slotOf(exactName(element))]! - 1
  }

  #slotOf(name: string): number {
    const mask = this.#table.length - 1
    for (let slot = hashText(name, SEED) & mask; ; slot = (slot + 1) & mask) {
      const place = this.#table[slot]!
      if (place === 0 || exactName(this.#elements.at(place - 1)!) === name) return slot
    }
  }
}

const exactName = (wire: Wire): string => wireName(typeof wire === "string" ? wire : asWire(wire))

/** The members of a sorted set in its order: by score, then by their bytes. */
export class Ranking {
  readonly length: number
  readonly #elements: Elements
  readonly #scores: Float64Array
  readonly #order: Uint32Array

  /** `elements`: member, score, member, score … */
  constructor(elements: Elements) {
    this.length = elements.length / 2
    this.#elements = elements
    this.#scores = Float64Array.from({ length: this.length }, (_, i) => scoreNumber(String(elements.at(2 * i + 1))))
    this.#order = Uint32Array.from({ length: this.length }, (_, i) => i)
    // Servers write them in their order, from either end.
    if (this.#isSorted()) return
    this.#order.reverse()
    if (!this.#isSorted()) this.#order.sort((one, other) => this.#compare(one, other))
  }

  /** The first position whose score fulfils what all scores from there on do. */
  first(fulfils: (score: number) => boolean): number {
    let [low, high] = [0, this.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (fulfils(this.#scores[this.#order[middle]!]!)) high = middle
      else low = middle + 1
    }
    return low
  }

  slice(from: number, to: number, withScores: boolean): Wire[] {
    const found: Wire[] = []
    for (let at = from; at < Math.min(to, this.length); at++) {
      const member = this.#order[at]!
      found.push(this.#elements.at(2 * member)!)
      if (withScores) found.push(scoreText(this.#scores[member]!))
    }
    return found
  }

  #isSorted(): boolean {
    for (let at = 1; at < this.length; at++) if (this.#compare(this.#order[at - 1]!, this.#order[at]!) > 0) return false
    return true
  }

  #compare(one: number, other: number): number {
    const [a, b] = [this.#scores[one]!, this.#scores[other]!]
    if (a !== b) return a - b
    return Buffer.compare(Buffer.from(this.#elements.at(2 * one)!), Buffer.from(this.#elements.at(2 * other)!))
  }
}
