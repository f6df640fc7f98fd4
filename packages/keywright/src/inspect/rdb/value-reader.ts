/* Reads one value after its layout. It keeps its place between any two words, so that a
 * value of any size is read through a small window: `run` returns 0 when the value is
 * complete, or how many bytes must be in the window to continue.
 *
 * A string is either kept (full mode), looked at for the number of elements that
 * its header states (shallow mode), or passed over. */

import { rdbCorrupt, rdbTooLarge } from "../../errors/rdb.ts"
import {
  BYTES_OF_ELEMENT,
  Cursor,
  ELEMENTS_FREELY,
  EXPANDED_FREELY,
  INTEGER,
  LARGEST_VALUE,
  LONGEST_STRING,
  LZF,
  MARGIN,
  MOST_EXPANSION,
  RAW,
} from "./cursor.ts"
import * as lay from "./layout.ts"
import type { Kind } from "./kinds.ts"
import { expandLzf } from "./lzf.ts"
import { moduleName } from "./module-name.ts"
import { FlatValue, type RdbValue } from "./shape.ts"
import { MOST_ATOMS, Sink } from "./sink.ts"
import { newestOf } from "./stream.ts"

/** What is done with values: passed over, counted, or decoded. */
export type RdbMode = "skip" | "shallow" | "full"

export interface ValueLimits {
  /** How many elements of a value are kept: the first ones. */
  readonly maxElements: number
  /** Bytes of the longest string, or packed part of a value, that is kept. 512 MB are the most. */
  readonly maxBytes: number
  /** The same of a value that is a string. */
  readonly maxString: number
  /**
   * Bytes of all that is kept of one value: its strings expand one by one, each to an allowed size. One that has more is
   * `RDB.TOO_LARGE`.
   */
  readonly maxValueBytes: number
  /**
   * Whether streams are decoded: as a whole, or of each about `maxElements` of the newest entries and no groups. Else they
   * are counted and skipped.
   */
  readonly streams: boolean | "newest"
  /** Bytes that are kept of a string that is longer than `maxString`; 0 for none. */
  readonly prefix: number
  /** Whether values are handed out flat, where they can be. */
  readonly flat: boolean
  /**
   * Collections of more elements than about this are handed out in several records with the same key: all of them but the
   * last have `more`. Streams and hashes whose fields expire are handed out whole. Infinity for never.
   */
  readonly pieces: number
}

/** The defaults: everything is kept, up to 1 GB of a value, except streams. */
export const NO_LIMITS: ValueLimits = {
  maxElements: Infinity,
  maxBytes: LONGEST_STRING,
  maxString: LONGEST_STRING,
  maxValueBytes: LARGEST_VALUE,
  streams: false,
  prefix: 0,
  flat: false,
  pieces: Infinity,
}

/** What `run` returns when a piece of the value is there, and more follows. */
export const PIECE = -2

/** Words of a stream that are taken into memory, whatever they take in the file; beyond that, each takes a byte there. */
const WORDS_FREELY = 1 << 20

const PLAIN_NODE = 1
const PACKED_NODE = 2

export class ValueReader {
  /** Number of elements (of bytes, for a string); NaN if not known. */
  length = 0
  /** How a string was stored. */
  stored = RAW
  /** The name of a module's type. */
  module = ""
  /** Was something left out because of the limits? */
  isCut = false
  /** Bytes of what is kept, expanded. */
  kept = 0
  /** Bytes of the same in the file. */
  #stored = 0
  /** Where the value begins in the file; NaN before its first string. */
  #from = NaN
  /** Elements of the pieces that were handed out. */
  #given = 0

  #kind!: Kind
  #word = 0
  #depth = 0
  #isPacked = true
  #isKeeping = false
  #isFlat = false
  #isCounting = false
  /** Only the newest entries of a stream are kept. */
  #isTail = false
  readonly #rounds = new Float64Array(lay.DEPTH)
  readonly #sink = new Sink()
  readonly #peeked = Buffer.alloc(16)
  readonly #limits: ValueLimits

  constructor(limits: ValueLimits) {
    this.#limits = limits
    this.#sink.isLazy = limits.flat
  }

  begin(kind: Kind, mode: RdbMode): void {
    this.#kind = kind
    this.#word = this.#depth = 0
    this.#isPacked = kind.pack !== undefined
    this.#isKeeping = mode === "full" && kind.shape !== undefined && (!kind.whole || this.#limits.streams !== false)
    this.#isCounting = mode !== "skip"
    this.#isTail = this.#isKeeping && kind.whole && this.#limits.streams === "newest"
    this.length = this.#isPacked && !this.#isCounting ? NaN : 0
    this.isCut = false
    this.kept = this.#stored = this.#given = 0
    this.#from = NaN
    this.module = ""
    this.#isFlat = this.#limits.flat && kind.isFlat
    if (this.#isKeeping) this.#sink.reset(this.#room(), this.#isFlat)
  }

  #room(): number {
    const { whole, lead, width } = this.#kind
    return whole ? MOST_ATOMS : Math.min(lead + this.#limits.maxElements * width, MOST_ATOMS)
  }

  /** Forgets the piece that was handed out, and continues with the next. */
  nextPiece(): void {
    this.#given += this.#sink.kept
    this.kept = this.#stored = 0
    this.#sink.reset(this.#room(), this.#isFlat)
  }

  /** Whether there is enough for a piece; not of hashes whose fields expire, which need all of it. */
  #isPiece(): boolean {
    const { whole, lead, width } = this.#kind
    const isEnough = this.#sink.kept >= width * this.#limits.pieces
    return isEnough && this.#isKeeping && !whole && lead === 0 && width < 3
  }

  /** The value that was read in full mode. */
  value(): RdbValue | FlatValue | undefined {
    const { atoms } = this.#sink
    if (!this.#isKeeping || this.#kind.shape === undefined) return undefined
    if (this.#kind.type === "string" && atoms.length === 0) return undefined
    this.#sink.mostWords = Math.min(this.#sink.mostWords, WORDS_FREELY + this.#stored)
    if (this.#isTail) return this.#newest()
    if (this.#kind.whole && this.isCut) return undefined
    return this.#isFlat ? this.#flat() : this.#kind.shape(atoms, this.#sink)
  }

  #flat(): FlatValue {
    if (this.#sink.packed !== undefined) this.#sink.pack()
    return new FlatValue(this.#sink.packed ?? this.#sink.atoms)
  }

  run(cursor: Cursor): number {
    const { words, jumps } = this.#kind.program
    for (;;) {
      const word = words[this.#word]!
      if (word === lay.DONE) return cursor.isSkipping ? MARGIN : this.#finish(cursor)
      if (cursor.isShort) return MARGIN
      if (word === lay.STRING) {
        const missing = this.#string(cursor)
        if (missing > 0) return missing
      } else if (word === lay.EACH || word === lay.ITEMS) {
        const rounds = cursor.count()
        if (word === lay.ITEMS) this.length = rounds
        else if (this.#kind.whole && this.#isKeeping && !this.#isTail) this.#sink.put(rounds)
        if (rounds === 0) this.#word = jumps[this.#word]!
        else this.#rounds[this.#depth++] = rounds
      } else if (word === lay.NEXT) {
        if (--this.#rounds[this.#depth - 1]! > 0) {
          this.#word = jumps[this.#word]!
          if (this.#isPiece()) {
            this.#word++
            return PIECE
          }
        } else this.#depth--
      } else if (word === lay.MODULE) {
        if (this.#moduleStep(cursor)) continue
      } else {
        this.#scalar(cursor, word)
      }
      this.#word++
    }
  }

  #finish(cursor: Cursor): number {
    const { type, pack, width, lead, whole } = this.#kind
    if (type === "string") return 0
    if (pack !== undefined) this.length /= width
    if (this.length % 1 > 0) throw rdbCorrupt(cursor.offset, `a ${type} whose last element is incomplete`)
    if (this.#isKeeping && !whole && this.#given + this.#sink.kept < lead + this.length * width) this.isCut = true
    return 0
  }

  #scalar(cursor: Cursor, word: number): void {
    if (word === lay.ID) {
      const start = cursor.take(16, "a stream id")
      if (this.#isKeeping && !this.#isTail) this.#sink.putSlice(cursor.bytes, start, start + 16)
    } else if (word === lay.SIZE) {
      this.length = cursor.count()
      if (this.#isKeeping && !this.#isTail) this.#sink.put(this.length)
    } else if (word === lay.CONTAINER) this.#container(cursor)
    else if (word === lay.MODULE_ID) this.module = moduleName(cursor)
    else {
      const number = word === lay.ID_PART ? cursor.exactCount() : this.#number(cursor, word)
      if (this.#isKeeping && !this.#isTail) this.#sink.put(number)
    }
  }

  #number(cursor: Cursor, word: number): number {
    const start = cursor.offset
    if (word === lay.LENGTH) return cursor.count()
    if (word === lay.MILLIS) return cursor.millis()
    const score = word === lay.DOUBLE ? cursor.double() : textScore(cursor)
    if (Number.isNaN(score)) throw rdbCorrupt(start, "a score that is not a number")
    return score
  }

  #container(cursor: Cursor): void {
    const container = cursor.count()
    if (container !== PLAIN_NODE && container !== PACKED_NODE) {
      throw rdbCorrupt(cursor.offset - 1, `a list node of unknown kind ${container}`)
    }
    this.#isPacked = container === PACKED_NODE
  }

  #string(cursor: Cursor): number {
    const start = cursor.at
    const { offset } = cursor
    if (Number.isNaN(this.#from)) this.#from = offset
    const encoding = cursor.stringHeader()
    const sink = this.#sink
    if (this.#isKeeping && sink.atoms.length < sink.room && this.#isElement()) {
      const { maxBytes, maxString } = this.#limits
      if (cursor.plain <= (this.#kind.type === "string" ? maxString : maxBytes)) {
        if (!cursor.hasContent(start)) return cursor.needed
        sink.offset = offset
        // A tail keeps only the newest.
        this.kept = (this.#isTail ? 0 : this.kept) + cursor.plain
        this.#stored = (this.#isTail ? 0 : this.#stored) + cursor.stored
        this.#checkKept(offset)
        this.#keep(cursor, encoding)
        if (this.#isTail) this.#forgetOldest()
        if (sink.kept > ELEMENTS_FREELY) this.#checkElements(cursor)
        if (sink.kept >= MOST_ATOMS) throw rdbTooLarge(offset, `more than ${MOST_ATOMS} elements in one value`)
        return 0
      }
      if (this.#kind.type === "string" && this.#limits.prefix > 0) return this.#keepPrefix(cursor, start, encoding)
      if (this.#limits.pieces < Infinity && this.#kind.type !== "string")
        throw rdbTooLarge(offset, `an element of ${cursor.plain} bytes`)
      sink.room = sink.atoms.length
      this.isCut = true
    }
    if (this.#kind.type === "string") this.#measure(cursor, encoding)
    else if (this.#kind.pack !== undefined && this.#isCounting) this.#peek(cursor, encoding)
    else cursor.skip(cursor.stored)
    return 0
  }

  /** Before it is expanded. One string may be all zeros: long bitmaps are. Members that expand as much are made for it. */
  #checkKept(offset: number): void {
    const most = this.#limits.maxValueBytes
    if (this.kept > most) throw rdbTooLarge(offset, `more than ${most} bytes in one value`)
    if (this.#kind.type === "string" || this.kept <= EXPANDED_FREELY + MOST_EXPANSION * this.#stored) return
    throw rdbTooLarge(offset, `elements of ${this.kept} bytes in one value, from ${this.#stored} bytes of the file`)
  }

  /** The members of a large collection differ, and need some bytes for that. */
  #checkElements(cursor: Cursor): void {
    const bytes = cursor.offset - this.#from
    const { kept } = this.#sink
    if (kept <= ELEMENTS_FREELY + bytes / BYTES_OF_ELEMENT) return
    throw rdbTooLarge(cursor.offset, `${kept} elements in one value, from ${bytes} bytes of the file`)
  }

  /** For a stream's newest entries, only its nodes count: they are the first loop of its layout. */
  #isElement(): boolean {
    return !this.#isTail || this.#word < this.#kind.program.jumps[0]!
  }

  /** Nodes are an id and a packed string; each has at least one entry, if none was deleted. */
  #forgetOldest(): void {
    const { atoms } = this.#sink
    if (atoms.length > 2 * this.#limits.maxElements && atoms.length % 2 === 0) atoms.splice(0, 2)
  }

  #newest(): RdbValue {
    const stream = newestOf(this.#sink.atoms, this.#limits.maxElements, this.#sink)
    if (stream.entries.length < this.length) this.isCut = true
    return stream
  }

  /** The beginning of a long string. */
  #keepPrefix(cursor: Cursor, start: number, encoding: number): number {
    const { prefix } = this.#limits
    // Compressed bytes that cannot be compressed have one more for every 32 of them.
    const need = encoding === RAW ? prefix : Math.min(cursor.stored, prefix + (prefix >> 4) + 64)
    if (cursor.end - cursor.at < need && !cursor.final) {
      const missing = cursor.at - start + need
      cursor.at = start
      return missing
    }
    const content = encoding === RAW ? cursor.bytes.subarray(cursor.at, cursor.at + prefix) : Buffer.alloc(prefix)
    if (encoding === LZF) expandLzf(cursor.bytes, cursor.at, Math.min(cursor.end, cursor.at + need), content)
    this.#sink.putSlice(content, 0, content.length)
    this.isCut = true
    this.#measure(cursor, encoding)
    return 0
  }

  #keep(cursor: Cursor, encoding: number): void {
    const sink = this.#sink
    if (this.#kind.type === "string") {
      this.stored = encoding
      this.length = this.#keepString(cursor, encoding)
    } else if (this.#kind.pack === undefined) {
      if (encoding === INTEGER) sink.put(cursor.integer())
      else this.#keepString(cursor, encoding)
    } else {
      const before = sink.count
      if (this.#isPacked) this.#kind.pack.unpack(cursor.content(encoding), sink)
      else this.#keepString(cursor, encoding)
      this.length += sink.count - before
    }
  }

  /* Keeps a string as an element; how many bytes it has. */
  #keepString(cursor: Cursor, encoding: number): number {
    if (encoding === RAW) {
      const start = cursor.at
      cursor.at += cursor.stored
      this.#sink.putSlice(cursor.bytes, start, cursor.at)
      return cursor.stored
    }
    const content = cursor.content(encoding)
    this.#sink.putSlice(content, 0, content.length)
    return content.length
  }

  #measure(cursor: Cursor, encoding: number): void {
    this.stored = encoding
    if (encoding === INTEGER) {
      this.length = String(cursor.integer()).length
      return
    }
    this.length = cursor.plain
    cursor.skip(cursor.stored)
  }

  /* Adds the number of elements that the header of a packed string states. */
  #peek(cursor: Cursor, encoding: number): void {
    const pack = this.#kind.pack!
    if (!this.#isPacked) {
      this.length += 1
    } else if (encoding === INTEGER || cursor.plain < pack.header) {
      throw rdbCorrupt(cursor.offset, "a packed value that is too short")
    } else if (encoding === LZF) {
      const end = Math.min(cursor.end, cursor.at + cursor.stored)
      expandLzf(cursor.bytes, cursor.at, end, this.#peeked)
      this.length += pack.count(this.#peeked, 0)
    } else {
      this.length += pack.count(cursor.bytes, cursor.at)
    }
    cursor.skip(cursor.stored)
  }

  /* One opcode of a module with its operand; false at the end mark. */
  #moduleStep(cursor: Cursor): boolean {
    const opcode = cursor.count()
    if (opcode === 0) return false
    if (opcode === 1 || opcode === 2) cursor.count()
    else if (opcode === 3) cursor.take(4, "a float")
    else if (opcode === 4) cursor.take(8, "a double")
    else if (opcode === 5) {
      cursor.stringHeader()
      cursor.skip(cursor.stored)
    } else throw rdbCorrupt(cursor.offset - 1, `an unknown opcode ${opcode} in a module's value`)
    return true
  }
}

const NOT_A_NUMBER = 253
const POSITIVE_INFINITY = 254
const NEGATIVE_INFINITY = 255

function textScore(cursor: Cursor): number {
  const length = cursor.byte()
  if (length === NOT_A_NUMBER) return NaN
  if (length === POSITIVE_INFINITY) return Infinity
  if (length === NEGATIVE_INFINITY) return -Infinity
  const start = cursor.take(length, "a score")
  return length === 0 ? NaN : Number(cursor.bytes.toString("latin1", start, start + length))
}
