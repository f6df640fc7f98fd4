/* Some thousand keys of an RDB file, as columns: no object is made per key until one is
 * asked for. Keys and values point into the chunk of the file that they were read from,
 * so code that keeps one for long should copy it. */

import type { Kind, RdbType } from "./kinds.ts"
import type { FlatValue, HashPair, RdbValue, ZsetPair } from "./shape.ts"
import { objectsIn, type RdbStream, type RdbStreamFacts } from "./stream.ts"

interface RecordBase {
  readonly db: number
  readonly key: Buffer
  /** How the file holds it: "listpack", "intset", "raw", "lzf" …; for a module, the name of its type. */
  readonly encoding: string
  readonly expireAtMs?: number
  /** Seconds since the last access, where the server evicts by LRU. */
  readonly idle?: number
  /** The access counter, where the server evicts by LFU. */
  readonly freq?: number
  /** Bytes in the file, all included. */
  readonly size: number
  /** Number of elements, or of bytes of a string; absent where finding out would need decoding. */
  readonly length?: number
  /** The value is missing or has only its first elements, because of the limits that were given. */
  readonly cut?: true
  /** A piece of the value, of which the next record has the next one. */
  readonly more?: true
}

/** One key. The value is there in full mode; that of a stream on request, that of a module never. */
export type RdbRecord = RecordBase &
  (
    | { readonly type: "string"; readonly value?: Buffer }
    | { readonly type: "list" | "set"; readonly value?: readonly Buffer[] }
    | { readonly type: "zset"; readonly value?: readonly ZsetPair[] }
    | { readonly type: "hash"; readonly value?: readonly HashPair[] }
    | { readonly type: "stream"; readonly value?: RdbStream }
    | { readonly type: "module"; readonly value?: undefined }
  )

/** What the parser knows about a key when its value is complete. */
export interface ParsedKey {
  kind: Kind
  encoding: string
  db: number
  keyBytes: Buffer
  keyStart: number
  keyEnd: number
  expireAtMs: number
  idle: number
  freq: number
  /** Where it begins in the file, its expiry included. */
  offset: number
  size: number
  length: number
  value: RdbValue | FlatValue | undefined
  isCut: boolean
  /** Bytes of the value, expanded. */
  kept: number
  /** It is a piece, and not the last. */
  hasMore: boolean
}

const MOST = 4096
/** Numbers of one key. */
const NUMBERS = 7
/** Bytes of keys that are not in the window but were expanded: a batch ends after that many. */
const MOST_ELSEWHERE = 8 * 1024 * 1024
/** What the values of a batch take in memory, about: it ends after that. */
const MOST_VALUES = 32 * 1024 * 1024
const ELEMENT_BYTES = 32

export class RdbBatch {
  length = 0
  readonly #bytes: Buffer
  readonly #capacity: number
  readonly #db: Uint32Array
  readonly #keyStart: Int32Array
  readonly #keyEnd: Int32Array
  readonly #numbers: Float64Array
  readonly #kinds: Kind[] = []
  readonly #encodings: string[] = []
  readonly #elsewhere: Buffer[] = []
  #elsewhereBytes = 0
  #valueBytes = 0
  readonly #values = new Map<number, RdbValue | FlatValue>()
  readonly #cuts = new Set<number>()
  /** The last one, if it is a piece and more follows. */
  #unfinished = -1

  constructor(bytes: Buffer, capacity = MOST) {
    this.#bytes = bytes
    this.#capacity = capacity
    this.#db = new Uint32Array(capacity)
    this.#keyStart = new Int32Array(capacity)
    this.#keyEnd = new Int32Array(capacity)
    this.#numbers = new Float64Array(capacity * NUMBERS)
  }

  get isFull(): boolean {
    return this.length === this.#capacity || this.#elsewhereBytes > MOST_ELSEWHERE || this.#valueBytes > MOST_VALUES
  }

  add(entry: ParsedKey): void {
    const index = this.length++
    this.#db[index] = entry.db
    this.#kinds.push(entry.kind)
    this.#encodings.push(entry.encoding)
    if (entry.keyBytes === this.#bytes) {
      this.#keyStart[index] = entry.keyStart
      this.#keyEnd[index] = entry.keyEnd
    } else {
      this.#elsewhereBytes += entry.keyEnd - entry.keyStart
      this.#keyStart[index] = -this.#elsewhere.push(entry.keyBytes.subarray(entry.keyStart, entry.keyEnd))
    }
    const at = index * NUMBERS
    this.#numbers[at] = entry.expireAtMs
    this.#numbers[at + 1] = entry.idle
    this.#numbers[at + 2] = entry.freq
    this.#numbers[at + 3] = entry.size
    this.#numbers[at + 4] = entry.length
    this.#numbers[at + 5] = entry.offset
    this.#numbers[at + 6] = entry.kept
    if (entry.value !== undefined) this.#addValue(index, entry, entry.value)
    if (entry.isCut) this.#cuts.add(index)
    if (entry.hasMore) this.#unfinished = index
  }

  #addValue(index: number, { kind, kept, length }: ParsedKey, value: RdbValue | FlatValue): void {
    this.#values.set(index, value)
    // What a stream says about its length need not be so.
    const objects = kind.type === "stream" ? 3 * objectsIn(value as RdbStream | RdbStreamFacts) : length || 0
    this.#valueBytes += kept + (kind.type === "string" ? 0 : ELEMENT_BYTES * objects)
  }

  db(index: number): number {
    return this.#db[index]!
  }

  key(index: number): Buffer {
    const start = this.#keyStart[index]!
    return start < 0 ? this.#elsewhere[-1 - start]! : this.#bytes.subarray(start, this.#keyEnd[index])
  }

  /** The key as UTF-8 text, which is faster than a Buffer of it. */
  keyText(index: number): string {
    const start = this.#keyStart[index]!
    return start < 0
      ? this.#elsewhere[-1 - start]!.toString()
      : this.#bytes.toString("utf8", start, this.#keyEnd[index])
  }

  type(index: number): RdbType {
    return this.#kinds[index]!.type
  }

  encoding(index: number): string {
    return this.#encodings[index]!
  }

  /** NaN without expiry. */
  expireAtMs(index: number): number {
    return this.#numbers[index * NUMBERS]!
  }

  /** Bytes in the file. */
  size(index: number): number {
    return this.#numbers[index * NUMBERS + 3]!
  }

  /** Where it begins in the file. */
  offset(index: number): number {
    return this.#numbers[index * NUMBERS + 5]!
  }

  /** Number of elements, or of bytes of a string; NaN if not known. */
  elements(index: number): number {
    return this.#numbers[index * NUMBERS + 4]!
  }

  /** Bytes of the value, expanded; 0 where it was not decoded. */
  kept(index: number): number {
    return this.#numbers[index * NUMBERS + 6]!
  }

  /** Whether it has only the beginning of its value, because of the limits that were given. */
  isCut(index: number): boolean {
    return this.#cuts.has(index)
  }

  value(index: number): RdbValue | FlatValue | undefined {
    return this.#values.get(index)
  }

  record(index: number): RdbRecord {
    const at = index * NUMBERS
    const numbers = this.#numbers
    const value = this.#values.get(index)
    return {
      db: this.db(index),
      key: this.key(index),
      type: this.type(index),
      encoding: this.encoding(index),
      ...unlessNaN("expireAtMs", numbers[at]!),
      ...unlessNaN("idle", numbers[at + 1]!),
      ...unlessNaN("freq", numbers[at + 2]!),
      size: numbers[at + 3]!,
      ...unlessNaN("length", numbers[at + 4]!),
      ...(value !== undefined && { value }),
      ...(this.#cuts.has(index) && { cut: true }),
      ...(this.#unfinished === index && { more: true }),
    } as RdbRecord
  }

  *[Symbol.iterator](): IterableIterator<RdbRecord> {
    for (let index = 0; index < this.length; index++) yield this.record(index)
  }
}

function unlessNaN(name: string, value: number): Record<string, number> | undefined {
  return Number.isNaN(value) ? undefined : { [name]: value }
}
