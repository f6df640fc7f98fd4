/* A window over the bytes of the file, and the primitives of the format.
 *
 * Reading is synchronous and never waits: the caller makes sure that MARGIN
 * bytes are in the window (enough for everything but the content of a string),
 * or that the file ends there (`final`); only `refill` waits. Content that is
 * skipped need not fit the window: what is left to skip is remembered. The
 * window's buffer is replaced, never reused, so slices of it stay valid. */

import { rdbCorrupt, rdbTruncated } from "../../errors/rdb.ts"
import type { Atom } from "./atom.ts"
import { type Chunks, chunksOfStream } from "./chunks.ts"
import { Crc64 } from "./crc64.ts"
import { decompressLzf, isPlausibleLzf } from "./lzf.ts"

/** More than any opcode with its numbers, or the longest score (1 + 252 bytes), can take. */
export const MARGIN = 288

const WINDOW = 64 * 1024
/** The longest string that a server accepts by default. */
export const LONGEST_STRING = 512 * 1024 * 1024
/** The most bytes of one value that are taken into memory. */
export const LARGEST_VALUE = 1024 * 1024 * 1024
/** The longest key that is taken into memory. */
export const LONGEST_KEY = 8 * 1024 * 1024
/** What the elements of one value may expand to, whatever they take in the file; and how many times the latter beyond that. */
export const EXPANDED_FREELY = 64 * 1024 * 1024
export const MOST_EXPANSION = 8
/** Elements of one value that are taken into memory, whatever they take in the file; and the bytes that each takes there beyond that. */
export const ELEMENTS_FREELY = 2 * 1024 * 1024
export const BYTES_OF_ELEMENT = 3
const TWO_32 = 4294967296

/** How the content of a string is stored. */
export const RAW = 0
export const INTEGER = 1
export const LZF = 2

export class Cursor {
  bytes: Buffer = Buffer.alloc(0)
  at = 0
  end = 0
  final = false
  /** After `string`: how many bytes are missing. */
  needed = 0
  /** After `stringHeader`: the number of bytes that follow, and their number when unpacked. */
  stored = 0
  plain = 0

  #base = 0
  #skipping = 0
  #digested = 0
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #total: number
  readonly #crc: Crc64 | undefined

  constructor(chunks: Chunks, total: number, checksum: boolean) {
    this.#chunks = chunks[Symbol.asyncIterator]()
    this.#total = total
    this.#crc = checksum ? new Crc64() : undefined
  }

  /** Over a part of a file that is in memory, and begins there at `offset`. */
  static over(bytes: Buffer, offset: number): Cursor {
    const cursor = new Cursor(chunksOfStream(nothing()), Infinity, false)
    cursor.bytes = bytes
    cursor.end = bytes.length
    cursor.final = true
    cursor.#base = offset
    return cursor
  }

  /** The position in the file. */
  get offset(): number {
    return this.#base + this.at + this.#skipping
  }

  /** Is the window too short for the next step, and could it be filled? */
  get isShort(): boolean {
    return this.end - this.at < MARGIN && !this.final
  }

  /** Is content still to be skipped before the next step? */
  get isSkipping(): boolean {
    return this.#skipping > 0
  }

  byte(): number {
    if (this.at >= this.end) throw rdbTruncated(this.offset, "a number")
    return this.bytes[this.at++]!
  }

  /** Moves past `count` bytes that are in the window, and returns where they begin. */
  take(count: number, what: string): number {
    const start = this.at
    if (this.end - start < count) throw rdbTruncated(this.offset, what)
    this.at = start + count
    return start
  }

  /** A length; a special encoding of a string is returned as -1 minus its kind. */
  length(): number {
    const first = this.byte()
    const kind = first >> 6
    if (kind === 0) return first
    if (kind === 1) return ((first & 0x3f) << 8) | this.byte()
    if (kind === 3) return -1 - (first & 0x3f)
    if (first === 0x80) return this.bytes.readUInt32BE(this.take(4, "a length"))
    if (first !== 0x81) throw rdbCorrupt(this.offset - 1, `a length that begins with ${first}`)
    const start = this.take(8, "a length")
    return this.bytes.readUInt32BE(start) * TWO_32 + this.bytes.readUInt32BE(start + 4)
  }

  /** A length that is a plain number. */
  count(): number {
    const count = this.length()
    if (count < 0) throw rdbCorrupt(this.offset - 1, "an encoded string where a number belongs")
    return count
  }

  /** The same of up to 64 bits, of which none is lost: as text where it has too many for a number. */
  exactCount(): Atom {
    const count = this.count()
    return Number.isSafeInteger(count) ? count : Buffer.from(String(this.bytes.readBigUInt64BE(this.at - 8)))
  }

  /** A 64-bit number of milliseconds. */
  millis(): number {
    const start = this.take(8, "a time")
    return this.bytes.readInt32LE(start + 4) * TWO_32 + this.bytes.readUInt32LE(start)
  }

  /** The deadline of a key; NaN for -1, which servers take for none. */
  deadline(): number {
    const at = this.millis()
    return at === -1 ? NaN : at
  }

  double(): number {
    return this.bytes.readDoubleLE(this.take(8, "a score"))
  }

  /** Reads the header of a string, and returns how its content is stored. */
  stringHeader(): number {
    const length = this.length()
    if (length >= 0) {
      this.stored = this.plain = length
      return RAW
    }
    if (length >= -3) {
      this.stored = this.plain = length === -3 ? 4 : -length
      return INTEGER
    }
    if (length !== -4) throw rdbCorrupt(this.offset - 1, `a string of unknown encoding ${-1 - length}`)
    this.stored = this.count()
    this.plain = this.count()
    if (!isPlausibleLzf(this.stored, this.plain)) {
      throw rdbCorrupt(this.offset, `${this.stored} compressed bytes that claim to hold ${this.plain}`)
    }
    return LZF
  }

  /** The integer of a string that is stored as one. */
  integer(): number {
    const start = this.take(this.stored, "a string")
    return this.bytes.readIntLE(start, this.stored)
  }

  /** Is the content of the string, whose header began at `start`, in the window? If not, goes back there. */
  hasContent(start: number): boolean {
    if (this.stored <= this.end - this.at) return true
    this.#checkRoom(this.stored)
    if (this.stored > LONGEST_STRING || this.plain > LONGEST_STRING) {
      throw rdbCorrupt(this.offset, `a string of ${this.plain} bytes`)
    }
    this.needed = this.at - start + this.stored
    this.at = start
    return false
  }

  /** The content of a string whose header has been read and that is in the window. */
  content(encoding: number): Buffer {
    if (encoding === INTEGER) return Buffer.from(String(this.integer()), "latin1")
    const start = this.at
    this.at += this.stored
    if (encoding === RAW) return this.bytes.subarray(start, this.at)
    const content = decompressLzf(this.bytes, start, this.at, this.plain)
    if (!content) throw rdbCorrupt(this.#base + start, "a compressed string that cannot be expanded")
    return content
  }

  /** A whole string, or `undefined` when `needed` bytes must be in the window first. */
  string(): Buffer | undefined {
    const start = this.at
    const encoding = this.stringHeader()
    return this.hasContent(start) ? this.content(encoding) : undefined
  }

  skip(count: number): void {
    const here = this.end - this.at
    if (count <= here) {
      this.at += count
      return
    }
    this.#checkRoom(count)
    this.at = this.end
    this.#skipping = count - here
  }

  /** Gets at least `need` bytes into the window, or all that are left; first passes what is to be skipped. */
  async refill(need: number): Promise<void> {
    this.#digest()
    const parts: Uint8Array[] = [this.bytes.subarray(this.at, this.end)]
    let size = this.end - this.at
    this.#base += this.at
    while (!this.final && size < Math.max(need, WINDOW)) {
      const chunk = await this.#next()
      if (!chunk) break
      const skipped = this.#pass(chunk)
      if (skipped === chunk.length) continue
      parts.push(skipped === 0 ? chunk : chunk.subarray(skipped))
      size += chunk.length - skipped
    }
    if (this.final && this.#skipping > 0) throw rdbTruncated(this.#base, "a string")
    this.bytes = join(parts, size)
    this.at = this.#digested = 0
    this.end = size
  }

  /** The checksum of all that was read so far; `undefined` when it is not wanted. */
  checksum(): bigint | undefined {
    this.#digest()
    return this.#crc?.value()
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  #checkRoom(count: number): void {
    const left = this.final ? this.end - this.at : this.#total - this.offset
    if (count > left) throw rdbTruncated(this.offset, `a string of ${count} bytes`)
  }

  #digest(): void {
    this.#crc?.update(this.bytes, this.#digested, this.at)
    this.#digested = this.at
  }

  async #next(): Promise<Uint8Array | undefined> {
    const result = await this.#chunks.next()
    if (!result.done) return result.value
    this.final = true
    return undefined
  }

  #pass(chunk: Uint8Array): number {
    if (this.#skipping === 0) return 0
    const skipped = Math.min(this.#skipping, chunk.length)
    this.#crc?.update(chunk, 0, skipped)
    this.#skipping -= skipped
    this.#base += skipped
    return skipped
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function join(parts: readonly Uint8Array[], size: number): Buffer {
  const last = parts.at(-1)
  if (last?.length === size) return Buffer.from(last.buffer, last.byteOffset, size)
  return Buffer.concat(parts, size)
}
