/* Where the elements of one value are gathered. Elements stay as the file holds them:
 * bytes, or a number where the file holds a small integer; the shape of the value is made
 * of them at the end. `room` bounds what is kept, `count` continues to count. */

import { isUtf8 } from "node:buffer"
import { rdbCorrupt, rdbTooLarge } from "../../errors/rdb.ts"
import { maybeMangled } from "../walk/wire.ts"

/** The most elements of one value that are kept: more do not fit into the memory of a process. */
export const MOST_ATOMS = 1 << 26
/**
 * The most elements of one packed string. Servers pack a few hundred together unless they are configured otherwise, and
 * become slow long before a million.
 */
export const MOST_PACKED = 1 << 20
/** The most words of the entries of one stream, each of which becomes an object. */
const MOST_WORDS = 1 << 23

/** Text only where it was requested. */
export type Atom = Buffer | number | string

export class Sink {
  atoms: Atom[] = []
  count = 0
  room = 0
  /** Gathers text where the bytes are UTF-8, rather than bytes. */
  isText = false
  /** The position in the file of the string that is being unpacked: for errors. */
  offset = 0
  /** Words of a stream that were unpacked, and how many there may be. */
  words = 0
  mostWords = MOST_WORDS

  reset(room: number, isText = false): void {
    this.atoms = []
    this.count = 0
    this.room = room
    this.isText = isText
    this.words = 0
    this.mostWords = MOST_WORDS
  }

  put(atom: Atom): void {
    this.count++
    if (this.atoms.length < this.room) this.atoms.push(atom)
  }

  /** Adds `bytes[start, end)` as an element, without copying. */
  putSlice(bytes: Buffer, start: number, end: number): void {
    this.count++
    if (this.atoms.length < this.room)
      this.atoms.push(this.isText ? textAt(bytes, start, end) : bytes.subarray(start, end))
  }

  /** Adds a 64-bit integer, little-endian at `at`. */
  putInt64(bytes: Buffer, at: number): void {
    const value = bytes.readBigInt64LE(at)
    const number = Number(value)
    this.put(Number.isSafeInteger(number) ? number : Buffer.from(value.toString(), "latin1"))
  }

  /** Called with each element of a packed string, before it is added. */
  checkPacked(count: number): void {
    if (count >= MOST_PACKED) throw rdbTooLarge(this.offset, `more than ${MOST_PACKED} elements packed together`)
  }

  /** Adds to the words of a stream, before they are made. */
  addWords(count: number): void {
    this.words += count
    if (this.words > this.mostWords) throw rdbTooLarge(this.offset, `more than ${this.mostWords} words in one stream`)
  }

  corrupt(found: string): Error {
    return rdbCorrupt(this.offset, found)
  }
}

/** The bytes of an element: a number is written as Redis would print it. */
export function bytesOf(atom: Atom): Buffer {
  return typeof atom === "object" ? atom : Buffer.from(String(atom))
}

function textAt(bytes: Buffer, start: number, end: number): Buffer | string {
  const text = bytes.toString("utf8", start, end)
  return maybeMangled(text) && !isUtf8(bytes.subarray(start, end)) ? bytes.subarray(start, end) : text
}
