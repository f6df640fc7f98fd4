/* One key of a file, as commands see it: the elements of its value in sequence, and the
 * position of an element. The file's bytes are decoded on first use. */

import type { Wire } from "../../driver/driver.ts"
import { FlatValue, type RdbBatch, type RdbRecord, type RdbStream } from "../rdb/index.ts"
import { asWire, maybeMangled } from "../walk/wire.ts"
import { scoreNumber, scoreText } from "./score.ts"

/** A member and its score. */
export type ScoredMember = readonly [member: Wire, score: number]

export class SnapshotKey {
  readonly key: Wire
  readonly type: RdbRecord["type"]
  /** For a module, the name of its type. */
  readonly encoding: string
  /** Bytes in the file. */
  readonly size: number
  readonly expireAtMs: number | undefined
  /** Of a string of which only the beginning was read: how many bytes it has. */
  readonly cutFrom: number | undefined
  /** Roughly what it takes in memory. */
  readonly weight: number
  readonly #now: number
  #value: ReturnType<RdbBatch["value"]>
  #elements: readonly Wire[] | undefined
  #places: Map<string, number> | undefined
  #ranked: readonly ScoredMember[] | undefined

  /** `now` decides which fields of a hash have expired. */
  constructor(batch: RdbBatch, at: number, now: number) {
    const expireAtMs = batch.expireAtMs(at)
    this.key = keyOf(batch, at)
    this.type = batch.type(at)
    this.encoding = batch.encoding(at)
    this.size = batch.size(at)
    this.expireAtMs = Number.isNaN(expireAtMs) ? undefined : expireAtMs
    this.cutFrom = this.type === "string" && batch.isCut(at) ? batch.elements(at) : undefined
    this.weight =
      500 +
      2 * Math.max(this.size, batch.kept(at) + this.key.length) +
      (this.type === "string" ? 0 : 60 * (batch.elements(at) || 0))
    this.#value = batch.value(at)
    this.#now = now
  }

  /** A string as its one element; of pairs the first, its second, the next. */
  get elements(): readonly Wire[] {
    return (this.#elements ??= this.#makeElements())
  }

  /** The stream; undefined for other types. */
  get stream(): RdbStream | undefined {
    return this.type === "stream" ? (this.#value as RdbStream) : undefined
  }

  /** Elements that belong together. */
  get width(): 1 | 2 {
    return this.type === "hash" || this.type === "zset" ? 2 : 1
  }

  /** The position of an element, or of the first of a pair; -1 when there is none. */
  find(element: Wire): number {
    if (this.#places === undefined) {
      this.#places = new Map()
      const { elements, width } = this
      for (let at = elements.length - width; at >= 0; at -= width) this.#places.set(exactName(elements[at]!), at)
    }
    return this.#places.get(exactName(element)) ?? -1
  }

  /** The members of a sorted set in its order. */
  get ranked(): readonly ScoredMember[] {
    if (this.#ranked === undefined) {
      const { elements } = this
      const all: ScoredMember[] = []
      for (let at = 0; at < elements.length; at += 2) all.push([elements[at]!, scoreNumber(String(elements[at + 1]))])
      this.#ranked = all.sort(([a, one], [b, other]) => one - other || Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }
    return this.#ranked
  }

  #makeElements(): readonly Wire[] {
    const value = this.#value
    if (value === undefined || this.type === "stream") return []
    this.#value = undefined
    if (value instanceof FlatValue) return spelled(value, this.type === "zset")
    return elementsOf({ type: this.type, value } as RdbRecord, this.#now)
  }
}

/** Numbers as a server prints them, in place. */
function spelled({ atoms }: FlatValue, areScores: boolean): readonly Wire[] {
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

/** Bytes that are not text become one that no element has. */
const exactName = (wire: Wire): string => {
  const known = typeof wire === "string" ? wire : asWire(wire)
  return typeof known === "string" ? known : `\0${Buffer.from(known).toString("latin1")}`
}
