/* From bytes to keys: the opcodes of the file, one after another. `run` works
 * until the batch is full, the end is reached, or the window is exhausted; it
 * can be called again in every case, because each step either completes or
 * leaves the cursor where it was. */

import {
  rdbChecksum,
  rdbCorrupt,
  rdbNotRdb,
  rdbTooLarge,
  rdbTruncated,
  rdbUnknownType,
  rdbUnknownVersion,
} from "../../errors/rdb.ts"
import type { ParsedKey, RdbBatch } from "./batch.ts"
import { type Cursor, INTEGER, LONGEST_KEY, LZF, MARGIN, RAW } from "./cursor.ts"
import type { RdbFacts } from "./facts.ts"
import { shortName } from "./long-key.ts"
import { type Kind, kindsOf, type RdbType, sectionsOf } from "./kinds.ts"
import { PIECE, type RdbMode, type ValueLimits, ValueReader } from "./value-reader.ts"

/** The longest name or value of a note that is kept. Servers write a few dozen bytes; old ones also their scripts. */
const LONGEST_NOTE = 64 * 1024
const MOST_NOTES = 1000
/** A server has 16 unless it is told otherwise, and each of them takes time and memory to look at. */
const MOST_DATABASES = 10_000

/* What `run` returns instead of a number of bytes that it needs. */
const BATCH_FULL = 0
/** The end of the file was reached. */
export const END = -1

const FUNCTION = 245
const MODULE_DATA = 247
const IDLE = 248
const FREQ = 249
const AUX = 250
const RESIZE_DB = 251
const EXPIRE_MS = 252
const EXPIRE_SECONDS = 253
const SELECT_DB = 254
const EOF = 255

const TOO_LONG = Buffer.alloc(0)

const NEWEST = { REDIS: [1, 12], VALKEY: [80, 89] } as const
const FIRST_WITH_CHECKSUM = 5
const STORED_AS = { [RAW]: "raw", [INTEGER]: "int", [LZF]: "lzf" } as Record<number, string>

/** A key whose value comes next: decide here what to do with it. It is the same object for every key. */
export interface RdbKey {
  readonly db: number
  readonly key: Buffer
  /** The key as UTF-8 text, which is faster than a Buffer of it. */
  readonly text: string
  readonly type: RdbType
  /** NaN without expiry. */
  readonly expireAtMs: number
}

export interface ParserOptions {
  readonly mode: RdbMode | ((key: RdbKey) => RdbMode)
  readonly limits: ValueLimits
  /** Names of keys that have more bytes are shortened. */
  readonly longestName: number
  readonly anyVersion: boolean
}

/* The state of the parser between two steps. */
type ParserState = "header" | "opcode" | "key" | "value" | "section"

export class Parser {
  readonly #cursor: Cursor
  readonly #facts: RdbFacts
  readonly #options: ParserOptions
  readonly #reader: ValueReader
  #kinds: readonly (Kind | undefined)[] = []
  #sections: readonly (Kind | undefined)[] = []
  #place: ParserState = "header"
  #isPart = false
  #start = 0
  #notes = 0
  #code = 0
  #entry: ParsedKey
  readonly #databases = new Set<number>()
  readonly #asked: RdbKey

  constructor(cursor: Cursor, facts: RdbFacts, options: ParserOptions) {
    this.#cursor = cursor
    this.#facts = facts
    this.#options = options
    this.#reader = new ValueReader(options.limits)
    this.#entry = freshEntry(kindsOf.REDIS[0]!)
    this.#asked = new Asked(this.#entry)
  }

  /** Begins in the middle of a file, among the keys of this database, and ends where the bytes end. */
  beginAt(magic: RdbFacts["magic"], db: number): void {
    this.#kinds = kindsOf[magic]
    this.#sections = sectionsOf[magic]
    this.#entry.db = db
    this.#place = "opcode"
    this.#isPart = true
  }

  run(batch: RdbBatch): number {
    for (;;) {
      if (this.#place === "opcode") {
        if (batch.isFull) return BATCH_FULL
        if (this.#isPart && this.#cursor.at === this.#cursor.end) return END
        if (this.#cursor.isShort) return MARGIN
        const need = this.#opcode()
        if (need !== 0) return need
      } else if (this.#place === "key") {
        const need = this.#key()
        if (need !== 0) return need
      } else if (this.#place === "header") {
        if (this.#cursor.isShort) return MARGIN
        this.#header()
      } else {
        const need = this.#reader.run(this.#cursor)
        if (need === PIECE) {
          this.#piece(batch)
          return BATCH_FULL
        }
        if (need !== 0) return need
        if (this.#place === "value") this.#finish(batch)
        else this.#finishSection()
        this.#place = "opcode"
      }
    }
  }

  #header(): void {
    const { bytes, end } = this.#cursor
    const head = bytes.toString("latin1", 0, Math.min(end, 9))
    const match = /^(REDIS|VALKEY)(\d+)$/.exec(head)
    if (!match || head.length < 9) {
      if (head.length < 9 && /^(R|RE|RED|REDI|REDIS\d*|V|VA|VAL|VALK|VALKE|VALKEY\d*)?$/.test(head)) {
        throw rdbTruncated(end, "the header")
      }
      throw rdbNotRdb(bytes.subarray(0, Math.min(end, 9)))
    }
    const magic = match[1] as "REDIS" | "VALKEY"
    const version = Number(match[2])
    const [oldest, newest] = NEWEST[magic]
    if ((version < oldest || version > newest) && !this.#options.anyVersion) throw rdbUnknownVersion(magic, version)
    this.#facts.magic = magic
    this.#facts.version = version
    this.#kinds = kindsOf[magic]
    this.#sections = sectionsOf[magic]
    this.#cursor.take(9, "the header")
    this.#place = "opcode"
  }

  /* One opcode: 0 when done, a number of bytes when they are needed first, END at the end. */
  #opcode(): number {
    const cursor = this.#cursor
    const entry = this.#entry
    const before = cursor.at
    const { offset } = cursor
    const code = cursor.byte()
    if (this.#start === 0) this.#start = offset
    const kind = this.#kinds[code]
    if (kind !== undefined) {
      entry.kind = kind
      this.#place = "key"
      return 0
    }
    if (code === EXPIRE_MS) entry.expireAtMs = cursor.deadline()
    else if (code === EXPIRE_SECONDS) entry.expireAtMs = cursor.bytes.readInt32LE(cursor.take(4, "a time")) * 1000
    else if (code === FREQ) entry.freq = cursor.byte()
    else if (code === IDLE) entry.idle = cursor.count()
    else return this.#betweenKeys(code, before, offset)
    return 0
  }

  #betweenKeys(code: number, before: number, offset: number): number {
    const cursor = this.#cursor
    this.#start = 0
    if (code === SELECT_DB) this.#selectDb(offset)
    else if (code === RESIZE_DB) {
      this.#facts.databases.set(this.#entry.db, { keys: cursor.count(), expires: cursor.count() })
    } else if (code === AUX) return this.#aux(before)
    else if (code === EOF) return this.#end()
    else {
      const section = this.#sections[code]
      if (section === undefined) throw rdbUnknownType(offset, code)
      this.#code = code
      this.#reader.begin(section, "skip")
      this.#place = "section"
    }
    return 0
  }

  #selectDb(offset: number): void {
    const db = this.#cursor.count()
    if (db > 0x7fffffff) throw rdbCorrupt(offset, `a database number of ${db}`)
    this.#entry.db = db
    this.#databases.add(db)
    if (this.#databases.size > MOST_DATABASES) throw rdbTooLarge(offset, `more than ${MOST_DATABASES} databases`)
  }

  #aux(before: number): number {
    const cursor = this.#cursor
    const name = this.#note()
    const value = name && this.#note()
    if (value === undefined) {
      const need = cursor.at - before + cursor.needed
      cursor.at = before
      return need
    }
    // Servers write them first: a time that comes later would not be that of the keys before it.
    if (this.#facts.keys > 0) return 0
    if (name !== TOO_LONG && value !== TOO_LONG && this.#notes++ < MOST_NOTES)
      this.#facts.aux[name!.toString("latin1")] = value.toString("latin1")
    return 0
  }

  /* One string of a note; undefined when more bytes are needed first. A long one is passed, and not expanded. */
  #note(): Buffer | undefined {
    const cursor = this.#cursor
    const start = cursor.at
    const encoding = cursor.stringHeader()
    if (!cursor.hasContent(start)) return undefined
    if (cursor.plain <= LONGEST_NOTE) return cursor.content(encoding)
    cursor.skip(cursor.stored)
    return TOO_LONG
  }

  #key(): number {
    const cursor = this.#cursor
    const entry = this.#entry
    if (cursor.isShort) return MARGIN
    const start = cursor.at
    const stored = cursor.stringHeader()
    if (cursor.plain > LONGEST_KEY) throw this.#longKey(start)
    if (!cursor.hasContent(start)) return cursor.needed
    const isLong = cursor.plain > this.#options.longestName
    if (stored === RAW && !isLong) {
      entry.keyBytes = cursor.bytes
      entry.keyStart = cursor.at
      entry.keyEnd = cursor.at += cursor.stored
    } else {
      const name = cursor.content(stored)
      entry.keyBytes = isLong ? shortName(name) : name
      entry.keyStart = 0
      entry.keyEnd = entry.keyBytes.length
    }
    this.#reader.begin(entry.kind, this.#mode())
    this.#place = "value"
    return 0
  }

  /* Said before anything of it is read; a file that ends before it is cut short, whatever it says. */
  #longKey(start: number): Error {
    const { offset, plain } = this.#cursor
    try {
      this.#cursor.hasContent(start)
    } catch (error) {
      return error as Error
    }
    return rdbTooLarge(offset, `a key of ${plain} bytes`)
  }

  #mode(): RdbMode {
    const { mode } = this.#options
    return typeof mode === "string" ? mode : mode(this.#asked)
  }

  #finish(batch: RdbBatch): void {
    this.#add(batch, false)
    this.#facts.keys++
    this.#start = 0
    this.#entry.expireAtMs = this.#entry.idle = this.#entry.freq = NaN
  }

  #piece(batch: RdbBatch): void {
    this.#add(batch, true)
    this.#reader.nextPiece()
  }

  #add(batch: RdbBatch, hasMore: boolean): void {
    const entry = this.#entry
    const reader = this.#reader
    const { type } = entry.kind
    entry.encoding =
      type === "string" ? STORED_AS[reader.stored]! : type === "module" ? reader.module : entry.kind.encoding
    entry.offset = this.#start
    entry.size = this.#cursor.offset - this.#start
    entry.length = type === "module" ? NaN : reader.length
    entry.value = reader.value()
    entry.isCut = reader.isCut
    entry.kept = reader.kept
    entry.hasMore = hasMore
    batch.add(entry)
  }

  #finishSection(): void {
    if (this.#code === FUNCTION) this.#facts.functions++
    const { modules } = this.#facts
    if (this.#code === MODULE_DATA && modules.length < MOST_NOTES) modules.push(this.#reader.module)
  }

  #end(): number {
    const cursor = this.#cursor
    const found = cursor.checksum()
    if (this.#facts.version >= FIRST_WITH_CHECKSUM) {
      const { offset } = cursor
      const expected = cursor.bytes.readBigUInt64LE(cursor.take(8, "the checksum"))
      if (expected !== 0n && found !== undefined && found !== expected) {
        throw rdbChecksum(offset, expected.toString(16), found.toString(16))
      }
      this.#facts.checksum = expected === 0n ? "absent" : found === undefined ? "ignored" : "verified"
    } else this.#facts.checksum = "absent"
    this.#facts.bytes = cursor.offset
    return END
  }
}

/** What is known of the key that was read last; nothing is made of it before it is looked at. */
class Asked implements RdbKey {
  readonly #entry: ParsedKey

  constructor(entry: ParsedKey) {
    this.#entry = entry
  }

  get db(): number {
    return this.#entry.db
  }

  get key(): Buffer {
    return this.#entry.keyBytes.subarray(this.#entry.keyStart, this.#entry.keyEnd)
  }

  get text(): string {
    return this.#entry.keyBytes.toString("utf8", this.#entry.keyStart, this.#entry.keyEnd)
  }

  get type(): RdbType {
    return this.#entry.kind.type
  }

  get expireAtMs(): number {
    return this.#entry.expireAtMs
  }
}

function freshEntry(kind: Kind): ParsedKey {
  return {
    kind,
    encoding: "",
    db: 0,
    keyBytes: Buffer.alloc(0),
    keyStart: 0,
    keyEnd: 0,
    expireAtMs: NaN,
    idle: NaN,
    freq: NaN,
    offset: 0,
    size: 0,
    length: 0,
    value: undefined,
    isCut: false,
    kept: 0,
    hasMore: false,
  }
}
