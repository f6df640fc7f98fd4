/* Reads RESP2 and RESP3, incrementally, into replies of one shape (see driver.ts).
 *
 * Works on the chunk itself: a complete string is decoded straight from it, and
 * nothing is allocated for a reply but its value. What is kept between chunks is
 * the stack of unfinished arrays, the bytes of an unfinished line, and one buffer
 * of the announced size for an unfinished string, so that a value of 100 MB is
 * copied once and a reply cut at any byte is never parsed twice. The chunk is not
 * kept after `push` returns. */

import { constants } from "node:buffer"
import type { KeywrightError } from "../errors/error.ts"
import type { Reply } from "./driver.ts"

export interface ReplySink {
  /** Called before each reply: are its bulk strings wanted as bytes? */
  wantsBytes(): boolean
  /** The most bytes of the reply that is being read, where less is expected than the limit; asked only of long ones. */
  mostBytes?(): number
  onReply(reply: Reply): void
  /** A message that the server sent on its own (RESP3 push). */
  onPush(items: readonly Reply[]): void
  /** The value of a reply that has a text of more bytes than a text can have: it is read past. */
  tooLong?(tooLarge: ReplyTooLarge): KeywrightError
  /** The value that represents an error reply. */
  toError(text: string): KeywrightError
}

/** The limits on what a server may send; exceeding them ends the connection. */
export interface ReaderLimits {
  readonly depth: number
  readonly bulkBytes: number
  /** As text: V8's longest is 24 bytes shorter than Redis' longest string. A longer one can still be read as bytes. */
  readonly textBytes: number
  readonly lineBytes: number
  /** For one reply with all its contents; each element counts with its memory overhead in addition to its bytes. */
  readonly replyBytes: number
}

const LIMITS: ReaderLimits = {
  depth: 128,
  bulkBytes: 512 * 1024 * 1024,
  textBytes: constants.MAX_STRING_LENGTH,
  lineBytes: 65_536,
  replyBytes: 1024 * 1024 * 1024,
}

/** Replies up to this size are read, whatever they answer. */
export const SHORT_REPLY_BYTES = 65_536
const ELEMENT_BYTES = 32
/** What these take in memory besides, in elements: a list of one has room for seventeen, and bytes are an object each. */
const LIST_ELEMENTS = 6
const BYTES_ELEMENTS = 4
const ERROR_ELEMENTS = 30
/** A string up to this size gets its buffer at once; a longer one as its bytes arrive. */
const AT_ONCE_BYTES = 16 * 1024 * 1024
/** The most characters of a 64-bit number with its sign, and of a big number. */
const INTEGER_DIGITS = 20
const BIG_NUMBER_DIGITS = 4096

/** What the server sent is not RESP. The connection cannot be used any further. */
export class NotResp extends Error {
  override readonly name: string = "NotResp"
}

/** It may be RESP, but is more than is read: asking again would bring the same. */
export class ReplyTooLarge extends NotResp {
  override readonly name = "ReplyTooLarge"
  /** The most bytes that are read of it. */
  readonly most: number

  constructor(message: string, most: number) {
    super(message)
    this.most = most
  }
}

interface Frame {
  readonly items: Reply[]
  left: number
  readonly kind: number
}

/** `utf8Slice` is `toString("utf8", …)` without its argument checks. */
interface Sliceable extends Buffer {
  utf8Slice(start: number, end: number): string
  latin1Slice(start: number, end: number): string
}

const CR = 13
const LF = 10
const MINUS = 45
const PUSH = 62
const COLON = 58
const ARRAY = 42
const MAP = 37
const ATTRIBUTE = 124
const BULK = 36
const VERBATIM = 61
const BLOB_ERROR = 33
const EMPTY = Buffer.alloc(0) as unknown as Sliceable

export class RespReader {
  readonly #sink: ReplySink
  readonly #limits: ReaderLimits
  readonly #stack: Frame[] = []
  #chunk: Sliceable = EMPTY
  #at = 0
  #bytes = false
  /** The line that the last chunk ended in. */
  #tail: Buffer | undefined
  /** The string that the last chunk ended in. */
  #bulk: Buffer | undefined
  #bulkAt = 0
  /** Its length with its line end: what `bulk` grows to. */
  #bulkSize = 0
  #bulkKind = BULK
  /** Bytes to come that are read past, before `bulk`. */
  #skipped = 0
  /** What the reply that is being read becomes, because a text in it is too long. */
  #tooLong: KeywrightError | undefined

  /** For the chunk, what belongs to the list that it ends in: not the replies before that. */
  #own = 0
  /** Elements and bytes of the reply that is being read. */
  #elements = 0
  #replyBytes = 0

  constructor(sink: ReplySink, limits: Partial<ReaderLimits> = {}) {
    this.#sink = sink
    this.#limits = { ...LIMITS, ...limits }
  }

  /** The chunks so far ended inside a reply. */
  get isInside(): boolean {
    return this.#stack.length > 0 || this.#bulk !== undefined || this.#tail !== undefined
  }

  push(bytes: Uint8Array): void {
    const chunk = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#at = 0
    this.#own = chunk.length
    if (this.#bulk === undefined || this.#fill(chunk)) this.#items(chunk)
    if (this.#stack.length > 0) this.#count()
  }

  #items(chunk: Buffer): void {
    if (this.#tail === undefined) this.#chunk = chunk as Sliceable
    else {
      this.#chunk = Buffer.concat([this.#tail, chunk]) as unknown as Sliceable
      this.#tail = undefined
    }
    const end = this.#chunk.length
    while (this.#at < end) {
      const start = this.#at
      if (this.#item(end)) continue
      if (this.#bulk === undefined) this.#keep(start, end)
      break
    }
    this.#chunk = EMPTY
  }

  /** Whether the reply is still within its limit is checked once per chunk. */
  #count(): void {
    this.#replyBytes += this.#own
    const size = this.#replyBytes + this.#elements * ELEMENT_BYTES
    const most = this.#mostFor(size)
    if (size > most) throw new ReplyTooLarge(`a reply of more than ${most} bytes`, most)
  }

  /** The limit of a reply that has this size at least. */
  #mostFor(size: number): number {
    const most = this.#limits.replyBytes
    return size <= SHORT_REPLY_BYTES ? most : Math.min(most, this.#sink.mostBytes?.() ?? most)
  }

  #keep(start: number, end: number): void {
    this.#checkLine(end - start)
    this.#tail = Buffer.from(this.#chunk.subarray(start, end))
  }

  /** From its type byte to its end, so that it is the same question for a whole line and for a part of one. */
  #checkLine(bytes: number): void {
    if (bytes > this.#limits.lineBytes) throw new NotResp(`a line of more than ${this.#limits.lineBytes} bytes`)
  }

  /** One element, from its type byte on. False when the chunk ends inside it. */
  #item(end: number): boolean {
    const chunk = this.#chunk
    const kind = chunk[this.#at] as number
    switch (kind) {
      case BULK:
      case VERBATIM:
      case BLOB_ERROR:
        return this.#string(kind, end)
      case COLON:
        return this.#number(end)
      case ARRAY:
      case 126: // ~
      case MAP:
      case PUSH:
      case ATTRIBUTE:
        return this.#aggregate(kind, end)
      default:
        return this.#line(kind, end)
    }
  }

  #string(kind: number, end: number): boolean {
    const length = this.#length(end)
    if (length === undefined) return false
    if (length < 0) return this.#null(kind, length)
    const most = kind === BLOB_ERROR ? this.#limits.lineBytes : Math.min(this.#limits.bulkBytes, this.#mostFor(length))
    if (length > most) throw new ReplyTooLarge(`a string of ${length} bytes`, most)
    if (this.#stack.length === 0) this.#bytes = this.#sink.wantsBytes()
    if (length > this.#limits.textBytes && !this.#bytes) return this.#skip(length, end)
    const start = this.#at
    const stop = start + length
    if (stop + 2 > end) {
      this.#bulkSize = length + 2
      this.#bulk = Buffer.allocUnsafeSlow(Math.min(this.#bulkSize, Math.max(AT_ONCE_BYTES, end - start)))
      this.#bulkAt = this.#chunk.copy(this.#bulk, 0, start, end)
      this.#bulkKind = kind
      this.#at = end
      return false
    }
    if (this.#chunk[stop] !== CR || this.#chunk[stop + 1] !== LF) throw new NotResp("a string without a line end")
    this.#at = stop + 2
    return this.#value(this.#decode(kind, this.#chunk, start, stop))
  }

  /** Reads past a string, so that the connection and all other calls on it go on: what is left is an empty one. */
  #skip(length: number, end: number): boolean {
    const tooLarge = new ReplyTooLarge(`a text of ${length} bytes`, this.#limits.textBytes)
    if (this.#stack[0]?.kind === PUSH || this.#sink.tooLong === undefined) throw tooLarge
    this.#tooLong ??= this.#sink.tooLong(tooLarge)
    this.#skipped = length
    this.#bulkSize = 2
    this.#bulk = Buffer.allocUnsafeSlow(2)
    this.#bulkAt = 0
    this.#bulkKind = BULK
    const from = this.#at
    const isWhole = this.#fill(this.#chunk.subarray(from, end))
    this.#at += from
    return isWhole
  }

  /** Takes the rest of an unfinished string. False when there is still more to come. */
  #fill(chunk: Buffer): boolean {
    const skipped = Math.min(this.#skipped, chunk.length)
    this.#skipped -= skipped
    const bulk = this.#roomFor(chunk.length - skipped)
    const copied = chunk.copy(bulk, this.#bulkAt, skipped)
    this.#bulkAt += copied
    this.#at = skipped + copied
    if (this.#bulkAt < this.#bulkSize) return false
    this.#bulk = undefined
    const stop = bulk.length - 2
    if (bulk[stop] !== CR || bulk[stop + 1] !== LF) throw new NotResp("a string without a line end")
    const whole = this.#bytes && this.#bulkKind === BULK
    this.#value(whole ? bulk.subarray(0, stop) : this.#decode(this.#bulkKind, bulk as Sliceable, 0, stop))
    return true
  }

  /** The buffer of the unfinished string. A long one grows as it fills: announcing it costs the server nothing. */
  #roomFor(more: number): Buffer {
    const bulk = this.#bulk as Buffer
    if (bulk.length === this.#bulkSize || this.#bulkAt + more <= bulk.length) return bulk
    const size = Math.min(this.#bulkSize, Math.max(4 * bulk.length, this.#bulkAt + more))
    const grown = Buffer.allocUnsafeSlow(size)
    bulk.copy(grown, 0, 0, this.#bulkAt)
    this.#bulk = grown
    return grown
  }

  /** `$-1` and `*-1` are the nulls of RESP2; no other length is below zero. */
  #null(kind: number, length: number): true {
    if (length !== -1 || (kind !== BULK && kind !== ARRAY)) throw new NotResp(`a length of ${length}`)
    return this.#value(null)
  }

  #decode(kind: number, from: Sliceable, start: number, stop: number): Reply {
    if (kind === BULK) return this.#bytes ? this.#copy(from.subarray(start, stop)) : text(from, start, stop)
    if (kind === BLOB_ERROR) return this.#error(from.utf8Slice(start, stop))
    const body = start + 4
    if (body > stop || from[body - 1] !== COLON) throw new NotResp("a verbatim string without its format")
    return this.#bytes ? this.#copy(from.subarray(body, stop)) : from.utf8Slice(body, stop)
  }

  /** An empty one would have memory of its own: all are the same. */
  #copy(bytes: Uint8Array): Buffer {
    this.#elements += BYTES_ELEMENTS
    return bytes.length === 0 ? EMPTY : Buffer.from(bytes)
  }

  /** An error inside a list is made without a stack, which would take most of the time, and counts for what it takes. */
  #error(line: string): KeywrightError {
    if (this.#stack.length === 0) return this.#sink.toError(line)
    this.#elements += ERROR_ELEMENTS
    const before = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    try {
      return this.#sink.toError(line)
    } finally {
      Error.stackTraceLimit = before
    }
  }

  #number(end: number): boolean {
    const chunk = this.#chunk
    let at = this.#at + 1
    const negative = chunk[at] === MINUS
    if (negative || chunk[at] === 43) at++
    const first = at
    let number = 0
    for (; at < end; at++) {
      const digit = (chunk[at] as number) - 48
      if (digit < 0 || digit > 9) break
      number = number * 10 + digit
    }
    if (at + 1 >= end) return false
    if (chunk[at] !== CR || chunk[at + 1] !== LF || at === first || at - first > INTEGER_DIGITS) {
      throw new NotResp("a malformed integer")
    }
    const start = this.#at + 1
    this.#at = at + 2
    if (at - first < 16) return this.#value(negative ? -number : number)
    return this.#value(wholeNumber(chunk.latin1Slice(start, at)))
  }

  #aggregate(kind: number, end: number): boolean {
    const count = this.#length(end)
    if (count === undefined) return false
    const depth = this.#stack.length
    if (depth === 0) {
      this.#own = end - this.#at
      this.#elements = 0
      this.#replyBytes = 0
      this.#bytes = kind === PUSH ? false : this.#sink.wantsBytes()
    } else if (kind === PUSH) throw new NotResp("a push message inside a reply")
    if (count < 0) return this.#null(kind, count)
    const left = kind === MAP || kind === ATTRIBUTE ? count * 2 : count
    if (left === 0) return kind === PUSH || kind === ATTRIBUTE ? true : this.#value([])
    const most = this.#mostFor(left * ELEMENT_BYTES)
    if (left * ELEMENT_BYTES > most) throw new ReplyTooLarge(`a reply of ${left} elements`, most)
    if (depth >= this.#limits.depth) throw new NotResp(`a reply nested more than ${this.#limits.depth} deep`)
    this.#elements += LIST_ELEMENTS
    this.#stack.push({ items: [], left, kind })
    return true
  }

  #line(kind: number, end: number): boolean {
    if (!LINES.has(kind)) throw new NotResp(`a reply that starts with byte ${kind}`)
    const start = this.#at + 1
    const stop = this.#chunk.indexOf(CR, start)
    if (stop < 0 || stop + 1 >= end) return false
    if (this.#chunk[stop + 1] !== LF) throw new NotResp("a line without a line end")
    this.#checkLine(stop + 2 - this.#at)
    const line = this.#chunk.utf8Slice(start, stop)
    this.#at = stop + 2
    if (this.#stack.length === 0) this.#bytes = this.#sink.wantsBytes()
    switch (kind) {
      case MINUS:
        return this.#value(this.#error(line))
      case 95: // _
        if (line !== "") throw new NotResp("a null with something in it")
        return this.#value(null)
      case 35: // #
        if (line !== "t" && line !== "f") throw new NotResp("a malformed boolean")
        return this.#value(line === "t" ? 1 : 0)
      case 40: // (
        if (line.length > BIG_NUMBER_DIGITS) throw new NotResp(`a big number of ${line.length} digits`)
        return this.#value(wholeNumber(line))
      case 44: // a double, which RESP2 sends as a bulk string
        return this.#value(this.#bytes ? this.#copy(Buffer.from(line)) : line)
      default: // +
        return this.#value(line)
    }
  }

  /** Reads the number after the type byte, and moves past its line. Undefined when the line is incomplete. */
  #length(end: number): number | undefined {
    const chunk = this.#chunk
    let at = this.#at + 1
    const negative = chunk[at] === MINUS
    if (negative) at++
    let count = 0
    const first = at
    for (; at < end; at++) {
      const digit = (chunk[at] as number) - 48
      if (digit < 0 || digit > 9) break
      count = count * 10 + digit
    }
    if (at + 1 >= end) return undefined
    if (chunk[at] !== CR || chunk[at + 1] !== LF || at === first || at - first > 15) {
      throw new NotResp("a malformed length")
    }
    this.#at = at + 2
    return negative ? -count : count
  }

  /** Puts a finished element where it belongs, and finishes the arrays that it completes. */
  #value(value: Reply): true {
    const stack = this.#stack
    let done = value
    for (;;) {
      const frame = stack[stack.length - 1]
      if (frame === undefined) {
        if (this.#tooLong !== undefined) {
          done = this.#tooLong
          this.#tooLong = undefined
        }
        this.#sink.onReply(done)
        return true
      }
      frame.items.push(done)
      this.#elements++
      if (--frame.left > 0) return true
      stack.pop()
      if (frame.kind === ATTRIBUTE) return true
      if (frame.kind === PUSH) {
        this.#sink.onPush(frame.items)
        return true
      }
      done = frame.items
    }
  }
}

/** + - _ # , ( */
const LINES = new Set([43, MINUS, 95, 35, 44, 40])

/** Short ASCII is decoded faster as Latin 1. */
function text(from: Sliceable, start: number, stop: number): string {
  if (stop - start > 96) return from.utf8Slice(start, stop)
  for (let i = start; i < stop; i++) if ((from[i] as number) > 127) return from.utf8Slice(start, stop)
  return from.latin1Slice(start, stop)
}

function wholeNumber(digits: string): number | bigint {
  if (!/^[+-]?\d+$/.test(digits)) throw new NotResp("a malformed integer")
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}
