/* One key of a file, as commands see it: the elements of its value in sequence, and the
 * position of an element. The file's bytes are decoded on first use. */

import type { Wire } from "../../driver/driver.ts"
import {
  type Atom,
  FlatValue,
  objectsIn,
  PackedAtoms,
  type RdbBatch,
  type RdbRecord,
  type RdbStreamFacts,
} from "../rdb/index.ts"
import { asWire, maybeMangled } from "../walk/wire.ts"
import { type Elements, PackedElements, Places, Ranking } from "./elements.ts"
import { scoreText } from "./score.ts"

export class SnapshotKey {
  readonly key: Wire
  readonly type: RdbRecord["type"]
  /** For a module, the name of its type. */
  readonly encoding: string
  /** Bytes in the file. */
  readonly size: number
  readonly expireAtMs: number | undefined
  /** For a string of which only the beginning was read: how many bytes it has. */
  readonly cutFrom: number | undefined
  /** Roughly what it takes in memory. */
  readonly weight: number
  readonly #now: number
  #value: ReturnType<RdbBatch["value"]>
  #elements: Elements | undefined
  #places: Places | undefined
  #ranking: Ranking | undefined

  /** `now` decides which fields of a hash have expired. */
  constructor(batch: RdbBatch, at: number, now: number) {
    const expireAtMs = batch.expireAtMs(at)
    this.key = keyOf(batch, at)
    this.type = batch.type(at)
    this.encoding = batch.encoding(at)
    this.size = batch.size(at)
    this.expireAtMs = Number.isNaN(expireAtMs) ? undefined : expireAtMs
    this.cutFrom = this.type === "string" && batch.isCut(at) ? batch.elements(at) : undefined
    this.#value = batch.value(at)
    this.weight = 500 + 2 * this.key.length + this.#weigh(batch, at)
    this.#now = now
  }

  /** A string as its one element; of pairs the first, its second, the next. */
  get elements(): Elements {
    return (this.#elements ??= this.#makeElements())
  }

  /** The stream; undefined for other types. */
  get stream(): RdbStreamFacts | undefined {
    return this.type === "stream" ? (this.#value as RdbStreamFacts) : undefined
  }

  /** Elements that belong together. */
  get width(): 1 | 2 {
    return this.type === "hash" || this.type === "zset" ? 2 : 1
  }

  /** The position of an element, or of the first of a pair; -1 when there is none. */
  find(element: Wire): number {
    this.#places ??= new Places(this.elements, this.width)
    return this.#places.find(element)
  }

  /** The members of a sorted set in its order. */
  get ranking(): Ranking {
    return (this.#ranking ??= new Ranking(this.elements))
  }

  #weigh(batch: RdbBatch, at: number): number {
    const value = this.#value
    if (value instanceof FlatValue && value.atoms instanceof PackedAtoms)
      return value.atoms.weight + 16 * value.atoms.length
    const elements = this.stream === undefined ? batch.elements(at) : objectsIn(this.stream)
    return 2 * Math.max(this.size, batch.kept(at)) + (this.type === "string" ? 0 : 60 * (elements || 0))
  }

  #makeElements(): Elements {
    const value = this.#value
    if (value === undefined || this.type === "stream") return []
    this.#value = undefined
    if (value instanceof FlatValue)
      return value.atoms instanceof PackedAtoms
        ? new PackedElements(value.atoms, this.type === "zset")
        : spelled(value.atoms, this.type === "zset")
    return elementsOf({ type: this.type, value } as RdbRecord, this.#now)
  }
}

/** Numbers as a server prints them, in place. */
function spelled(atoms: Atom[], areScores: boolean): readonly Wire[] {
  for (let i = 0; i < atoms.length; i++) {
    const atom = atoms[i]
    if (typeof atom === "number") atoms[i] = areScores && i % 2 === 1 ? scoreText(atom) : String(atom)
  }
  return atoms as readonly Wire[]
}

/** A key as it is asked for. */
export function keyOf(batch: RdbBatch, at: number): Wire {
  const text = batch.keyText(at)
  return maybeMangled(text) ? asWire(batch.key(at)) : text
}

/**
 * The value of a record as elements in a row; fields that have expired at `now` are left out. Entries of a stream come
 * newest first, each after the number of its words.
 */
export function elementsOf(record: RdbRecord, now = -Infinity): Wire[] {
  if (record.value === undefined) return []
  switch (record.type) {
    case "string":
      return [asWire(record.value)]
    case "zset":
      return record.value.flatMap(([member, score]) => [asWire(member), scoreText(score)])
    case "hash":
      return record.value.flatMap(([field, value, expireAtMs = Infinity]) =>
        expireAtMs > now ? [asWire(field), asWire(value)] : [],
      )
    case "list":
    case "set":
      return record.value.map((one) => asWire(one))
    case "stream":
      return record.value.entries
        .toReversed()
        .flatMap(([, words]) => [String(words.length), ...words.map((word) => asWire(word))])
    default:
      return []
  }
}
