/* Where the elements of one value are gathered. Elements stay as the file holds them:
 * bytes, or a number where the file holds a small integer; the shape of the value is made
 * of them at the end. `room` bounds what is kept, `count` continues to count. Where text is
 * gathered, many elements are packed. */

import { rdbCorrupt, rdbTooLarge } from "../../errors/rdb.ts"
import { type Atom, textAt } from "./atom.ts"
import { PackedAtoms, SEGMENT } from "./packed-atoms.ts"

/** The most elements of one value that are kept: more do not fit into the memory of a process. */
export const MOST_ATOMS = 1 << 26
/**
 * The most elements of one packed string. Servers pack a few hundred together unless they are configured otherwise, and
 * become slow long before a million.
 */
export const MOST_PACKED = 1 << 20
/** The most words of the entries of one stream, each of which becomes an object. */
const MOST_WORDS = 1 << 23

export class Sink {
  atoms: Atom[] = []
  /** Those before `atoms`, of a large collection. */
  packed: PackedAtoms | undefined
  count = 0
  /** How many `atoms` there may be. */
  room = 0
  /** Whether the entries of a stream stay packed. */
  isLazy = false
  /** Gathers text where the bytes are UTF-8, rather than bytes. */
  isText = false
  /** The position in the file of the string that is being unpacked: for errors. */
  offset = 0
  /** Words of a stream that were unpacked, and how many there may be. */
  words = 0
  mostWords = MOST_WORDS
  /** How many elements may be packed together. */
  mostPacked = MOST_PACKED

  reset(room: number, isText = false): void {
    this.atoms = []
    this.packed = undefined
    this.count = 0
    this.room = room
    this.isText = isText
    this.words = 0
    this.mostWords = MOST_WORDS
  }

  /** Elements that are kept. */
  get kept(): number {
    return this.atoms.length + (this.packed?.length ?? 0)
  }

  put(atom: Atom): void {
    this.count++
    if (this.atoms.length >= this.room) return
    this.atoms.push(atom)
    if (this.isText && this.atoms.length === SEGMENT) this.pack()
  }

  /** Packs what was gathered. */
  pack(): void {
    this.packed ??= new PackedAtoms()
    this.packed.add(this.atoms)
    this.room -= this.atoms.length
    this.atoms = []
  }

  /** Adds `bytes[start, end)` as an element, without copying. */
  putSlice(bytes: Buffer, start: number, end: number): void {
    if (this.atoms.length < this.room) this.put(this.isText ? textAt(bytes, start, end) : bytes.subarray(start, end))
    else this.count++
  }

  /** Adds a 64-bit integer, little-endian at `at`. */
  putInt64(bytes: Buffer, at: number): void {
    const value = bytes.readBigInt64LE(at)
    const number = Number(value)
    this.put(Number.isSafeInteger(number) ? number : Buffer.from(value.toString(), "latin1"))
  }

  /** Called with each element of a packed string, before it is added. */
  checkPacked(count: number): void {
    if (count >= this.mostPacked)
      throw rdbTooLarge(this.offset, `more than ${this.mostPacked} elements packed together`)
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
