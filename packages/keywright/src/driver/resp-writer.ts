/* Encodes commands for the wire, many into one buffer.
 *
 * Commands are written one after another into a chunk; what `take` hands out is a view of
 * that chunk, and the next command is written behind it, never over it, so a socket may
 * keep the view as long as it likes. Short strings are copied character by character
 * (faster than a native call, and it yields the byte length on the way); large values
 * become separate pieces and are not copied. */

import type { Command, Wire } from "./driver.ts"

const CHUNK_BYTES = 65_536
const LARGE_BYTES = 16_384
/** Up to this length the loop over characters is faster than a native call. */
const SHORT_CHARS = 40
const HEADER_BYTES = 32
const CR = 13
const LF = 10
const ARRAY = 42
const BULK = 36
const ZERO = 48

export class RespWriter {
  #chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  #start = 0
  #at = 0
  #pieces: Uint8Array[] = []
  /** Bytes written since the last `take`. */
  size = 0

  command(args: Command): void {
    this.#header(ARRAY, args.length)
    for (let i = 0; i < args.length; i++) this.#bulk(args[i] as Wire)
  }

  /** The same as `command([first, second, ...rest])`, without building that array. */
  prefixed(first: string, second: string, rest: Command): void {
    this.#header(ARRAY, rest.length + 2)
    this.#bulk(first)
    this.#bulk(second)
    for (let i = 0; i < rest.length; i++) this.#bulk(rest[i] as Wire)
  }

  /** All that was written since the last call, in order. */
  take(): readonly Uint8Array[] {
    this.#cut()
    const pieces = this.#pieces
    this.#pieces = []
    this.size = 0
    return pieces
  }

  #bulk(value: Wire): void {
    if (typeof value !== "string") this.#bytes(value)
    else if (value.length > LARGE_BYTES) this.#bytes(Buffer.from(value, "utf8"))
    else if (value.length > SHORT_CHARS || !this.#ascii(value)) this.#text(value)
  }

  #ascii(value: string): boolean {
    const length = value.length
    this.#room(length + HEADER_BYTES)
    const before = this.#at
    const chunk = this.#chunk
    this.#header(BULK, length)
    let at = this.#at
    for (let i = 0; i < length; i++) {
      const char = value.charCodeAt(i)
      if (char > 127) {
        this.#at = before
        return false
      }
      chunk[at++] = char
    }
    chunk[at] = CR
    chunk[at + 1] = LF
    this.#at = at + 2
    return true
  }

  #text(value: string): void {
    const length = value.length
    this.#room(length * 3 + HEADER_BYTES)
    const before = this.#at
    this.#header(BULK, length)
    const guessed = this.#at
    const written = this.#chunk.write(value, guessed, "utf8")
    if (written !== length) {
      // It has characters of several bytes: the header says how many there are, and may be longer for it.
      const longer = String(written).length - String(length).length
      if (longer > 0) this.#chunk.copyWithin(guessed + longer, guessed, guessed + written)
      this.#at = before
      this.#header(BULK, written)
    }
    this.#at += written
    this.#lineEnd()
  }

  #bytes(value: Uint8Array): void {
    const length = value.byteLength
    if (length > LARGE_BYTES) {
      this.#header(BULK, length)
      this.#cut()
      this.#pieces.push(value)
      this.size += length
      this.#room(2)
    } else {
      this.#room(length + HEADER_BYTES)
      this.#header(BULK, length)
      this.#chunk.set(value, this.#at)
      this.#at += length
    }
    this.#lineEnd()
  }

  #header(mark: number, count: number): void {
    if (this.#at + HEADER_BYTES > this.#chunk.length) this.#room(HEADER_BYTES)
    const chunk = this.#chunk
    let at = this.#at
    chunk[at++] = mark
    if (count < 10) chunk[at++] = ZERO + count
    else if (count < 100) {
      chunk[at++] = ZERO + ((count / 10) | 0)
      chunk[at++] = ZERO + (count % 10)
    } else {
      const digits = String(count)
      for (let i = 0; i < digits.length; i++) chunk[at++] = digits.charCodeAt(i)
    }
    chunk[at] = CR
    chunk[at + 1] = LF
    this.#at = at + 2
  }

  #lineEnd(): void {
    this.#chunk[this.#at] = CR
    this.#chunk[this.#at + 1] = LF
    this.#at += 2
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#chunk.length) return
    this.#cut()
    this.#chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, bytes))
    this.#start = 0
    this.#at = 0
  }

  #cut(): void {
    if (this.#at === this.#start) return
    this.#pieces.push(this.#chunk.subarray(this.#start, this.#at))
    this.size += this.#at - this.#start
    this.#start = this.#at
  }
}
