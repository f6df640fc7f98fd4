/* The elements of a large collection in little memory: their bytes in a row, some thousand to a
 * segment, and where each ends. As objects they would take a hundred bytes each, and a file of a few
 * megabytes can hold a hundred million of them. An element is made again when it is asked for. */

import { type Atom, textAt } from "./atom.ts"

/** Elements of a segment. */
export const SEGMENT = 4096
const SHIFT = 12
/** A number takes a double. */
const NUMBER_BYTES = 8

interface Segment {
  readonly bytes: Buffer
  /** Twice the end of each, plus one for a number. A value has less than 2^31 bytes. */
  readonly ends: Uint32Array
}

export class PackedAtoms {
  length = 0
  /** What it takes in memory, about. */
  weight = 0
  readonly #segments: Segment[] = []

  /** Adds a whole segment, or the rest of one as the last. */
  add(atoms: readonly Atom[]): void {
    let size = 0
    for (const atom of atoms) size += sizeOf(atom)
    const bytes = Buffer.allocUnsafeSlow(size)
    const ends = new Uint32Array(atoms.length)
    let at = 0
    for (let i = 0; i < atoms.length; i++) {
      const atom = atoms[i]!
      if (typeof atom === "number") at = bytes.writeDoubleLE(atom, at)
      else if (typeof atom === "string") at += bytes.write(atom, at)
      else {
        bytes.set(atom, at)
        at += atom.length
      }
      ends[i] = 2 * at + (typeof atom === "number" ? 1 : 0)
    }
    this.#segments.push({ bytes, ends })
    this.length += atoms.length
    this.weight += size + ends.byteLength + 300
  }

  at(index: number): Atom {
    const { bytes, ends } = this.#segments[index >> SHIFT]!
    const place = index & (SEGMENT - 1)
    const start = place === 0 ? 0 : ends[place - 1]! >>> 1
    const end = ends[place]!
    return end & 1 ? bytes.readDoubleLE(start) : textAt(bytes, start, end >>> 1)
  }
}

function sizeOf(atom: Atom): number {
  if (typeof atom === "number") return NUMBER_BYTES
  return typeof atom === "string" ? Buffer.byteLength(atom) : atom.length
}
