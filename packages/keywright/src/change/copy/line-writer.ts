/* Lines of JSON as bytes, and the digest of what is in them, in one go: this is what an
 * export spends its time on. Short texts are copied character by character, escaped and
 * hashed on the way; what is long or not ASCII is written natively, and with nothing in it that
 * a terminal would act on.
 *
 * What `take` hands out is written over by the next line. */

import type { Wire } from "../../driver/driver.ts"
import { plainJson } from "../../schema/json/plain-json.ts"
import { feed, feedNumber, type Hashes, HIGH_FACTOR, LOW_FACTOR } from "./digest.ts"

/** No import reads a longer line: it could not become a text. */
export const LONGEST_LINE = 400_000_000
/** What comes after a value: a deadline, a digest. */
const REST = 1000

/** A key whose line is longer. It stays out of the export, which would otherwise be of no use. */
export class LineTooLong extends Error {}

const ROOM = 1 << 18
/** Longer texts are written natively. */
const SHORT = 1024
/** The longest that one character becomes: \u0000 */
const WIDEST = 6

const QUOTE = 34
/** The first character that is not simply copied: a control character, and then what is not ASCII. */
const DELETE = 127
const BACKSLASH = 92
const ZERO = 48
const HEX = Buffer.from("0123456789abcdef")
/** The letters behind the backslash that JSON has for some control characters. */
const LETTERS: Readonly<Record<number, number>> = { 8: 98, 9: 116, 10: 110, 12: 102, 13: 114 }

export class LineWriter {
  #bytes = Buffer.allocUnsafeSlow(ROOM)
  #at = 0
  #start = 0
  readonly #longest: number

  constructor(longest = LONGEST_LINE - REST) {
    this.#longest = longest
  }

  /** Begins a line, which `drop` takes back. */
  begin(): void {
    this.#start = this.#at
  }

  drop(): void {
    this.#at = this.#start
  }

  /** Bytes that have not been taken. */
  get size(): number {
    return this.#at
  }

  /** Something of our own: ASCII, and nothing to escape. */
  plain(text: string): void {
    this.#room(text.length)
    const bytes = this.#bytes
    let at = this.#at
    for (let i = 0; i < text.length; i++) bytes[at++] = text.charCodeAt(i)
    this.#at = at
  }

  json(value: unknown): void {
    const text = textOf(value)
    this.#fit(Buffer.byteLength(text))
    this.#at += this.#bytes.write(text, this.#at)
  }

  /** A text, or bytes as { base64 }, that is fed to a digest. */
  word(wire: Wire, into: Hashes): void {
    if (typeof wire === "string") {
      if (wire.length <= SHORT && this.#ascii(wire, into)) return
      this.json(wire)
      feed(into, wire)
      return
    }
    this.json({ base64: Buffer.from(wire).toString("base64") })
    feed(into, wire)
  }

  /** A digest in 16 hexadecimal digits. */
  digits({ high, low }: Hashes): void {
    this.#room(16)
    for (let shift = 28; shift >= 0; shift -= 4) this.#bytes[this.#at++] = HEX[(high >>> shift) & 15]!
    for (let shift = 28; shift >= 0; shift -= 4) this.#bytes[this.#at++] = HEX[(low >>> shift) & 15]!
  }

  /** All lines since the last call; to be used before the next one is begun. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#at)
    if (this.#bytes.length > ROOM) this.#bytes = Buffer.allocUnsafeSlow(ROOM)
    this.#at = this.#start = 0
    return taken
  }

  /** False, and nothing done, when it is not ASCII. */
  #ascii(text: string, into: Hashes): boolean {
    const { length } = text
    const before = [into.high, into.low] as const
    feedNumber(into, length)
    this.#fit(length * WIDEST + 2)
    const bytes = this.#bytes
    let { high, low } = into
    let at = this.#at
    bytes[at++] = QUOTE
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i)
      high = Math.imul(high ^ code, HIGH_FACTOR)
      low = Math.imul(low ^ code, LOW_FACTOR)
      if (code >= DELETE) {
        ;[into.high, into.low] = before
        return false
      }
      if (code < 32) at = escaped(bytes, at, code)
      else {
        if (code === QUOTE || code === BACKSLASH) bytes[at++] = BACKSLASH
        bytes[at++] = code
      }
    }
    bytes[at++] = QUOTE
    this.#at = at
    into.high = high
    into.low = low
    return true
  }

  #fit(bytes: number): void {
    if (this.#at + bytes - this.#start > this.#longest) throw new LineTooLong()
    this.#room(bytes)
  }

  #room(bytes: number): void {
    const needed = this.#at + bytes
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.#at)
    this.#bytes = larger
  }
}

/** Some hundreds of megabytes with much to escape are more than one text can hold. */
function textOf(value: unknown): string {
  try {
    return plainJson(JSON.stringify(value))
  } catch (error) {
    throw error instanceof RangeError ? new LineTooLong() : error
  }
}

/** A control character; where the next one goes. */
function escaped(bytes: Buffer, start: number, code: number): number {
  let at = start
  bytes[at++] = BACKSLASH
  const letter = LETTERS[code]
  if (letter !== undefined) {
    bytes[at++] = letter
    return at
  }
  bytes[at++] = 117 // u
  bytes[at++] = ZERO
  bytes[at++] = ZERO
  bytes[at++] = HEX[code >> 4]!
  bytes[at++] = HEX[code & 15]!
  return at
}
