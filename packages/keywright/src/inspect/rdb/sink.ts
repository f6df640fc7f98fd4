/* Where the elements of one value are gathered. Elements stay as the file holds
 * them: bytes, or a number where the file holds a small integer; the shape of
 * the value is made of them at the end. `room` bounds what is kept, `count` goes
 * on counting. */

import { rdbCorrupt } from "../../errors/rdb.ts"

export type Atom = Buffer | number

export class Sink {
  atoms: Atom[] = []
  count = 0
  room = 0
  /** Where in the file the string stands that is being unpacked: for errors. */
  offset = 0

  reset(room: number): void {
    this.atoms = []
    this.count = 0
    this.room = room
  }

  put(atom: Atom): void {
    this.count++
    if (this.atoms.length < this.room) this.atoms.push(atom)
  }

  /** Adds `bytes[start, end)` as an element, without copying. */
  putSlice(bytes: Buffer, start: number, end: number): void {
    this.count++
    if (this.atoms.length < this.room) this.atoms.push(bytes.subarray(start, end))
  }

  /** Adds a 64-bit integer, little-endian at `at`. */
  putInt64(bytes: Buffer, at: number): void {
    const value = bytes.readBigInt64LE(at)
    const number = Number(value)
    this.put(Number.isSafeInteger(number) ? number : Buffer.from(value.toString(), "latin1"))
  }

  corrupt(found: string): Error {
    return rdbCorrupt(this.offset, found)
  }
}

/** The bytes of an element: a number is written as Redis would print it. */
export function bytesOf(atom: Atom): Buffer {
  return typeof atom === "number" ? Buffer.from(String(atom), "latin1") : atom
}
