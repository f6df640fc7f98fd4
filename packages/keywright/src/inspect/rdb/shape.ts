/* From the elements of a value, in a row, to the value: what a caller gets as
 * `record.value` in full mode. Nothing is parsed here, but of streams. */

import { type Atom, bytesOf } from "./atom.ts"
import type { PackedAtoms } from "./packed-atoms.ts"
import type { Sink } from "./sink.ts"
import { packedStreamOf, type RdbStream, type RdbStreamFacts, streamOf } from "./stream.ts"

/** A field and its value, and the field's own expiry where it has one. */
export type HashPair = readonly [field: Buffer, value: Buffer, expireAtMs?: number]
export type ZsetPair = readonly [member: Buffer, score: number]
export type RdbValue = Buffer | Buffer[] | ZsetPair[] | HashPair[] | RdbStream | RdbStreamFacts

/**
 * The elements of a value in sequence, for callers that do not want pairs: text where it is text, numbers as the file
 * has them.
 */
export class FlatValue {
  readonly atoms: Atom[] | PackedAtoms

  constructor(atoms: Atom[] | PackedAtoms) {
    this.atoms = atoms
  }
}

export type ValueBuilder = (atoms: readonly Atom[], sink: Sink) => RdbValue

export const stream =
  (version: 1 | 2 | 3): ValueBuilder =>
  (atoms, sink) =>
    (sink.isLazy ? packedStreamOf : streamOf)(atoms, version, sink)

export const single: ValueBuilder = (atoms) => bytesOf(atoms[0]!)

export const elements: ValueBuilder = (atoms) => atoms.map(bytesOf)

export const scores: ValueBuilder = (atoms, sink) => {
  const pairs: ZsetPair[] = []
  for (let at = 0; at + 1 < atoms.length; at += 2)
    pairs.push([bytesOf(atoms[at]!), numberOf(atoms[at + 1]!, sink, "a score")])
  return pairs
}

export const fields: ValueBuilder = (atoms) => {
  const pairs: HashPair[] = []
  for (let at = 0; at + 1 < atoms.length; at += 2) pairs.push([bytesOf(atoms[at]!), bytesOf(atoms[at + 1]!)])
  return pairs
}

/** Field, value, expiry; `none` means no expiry. */
export function fieldsThenExpiry(none: number): ValueBuilder {
  return (atoms, sink) => {
    const pairs: HashPair[] = []
    for (let at = 0; at + 2 < atoms.length; at += 3) {
      pairs.push(pair(atoms[at]!, atoms[at + 1]!, numberOf(atoms[at + 2]!, sink, EXPIRY), none))
    }
    return pairs
  }
}

/** The earliest expiry of all, then field, value and expiry: the former repeats one of the latter. */
export const earliestThenFields: ValueBuilder = (atoms, sink) => fieldsThenExpiry(0)(atoms.slice(1), sink)

export const expiryThenFields: ValueBuilder = (atoms, sink) => expiryFirst(atoms, sink, 0, 0)

/** The earliest expiry of all, then expiry, field, value, where 1 means the earliest and 0 means none. */
export const relativeExpiryThenFields: ValueBuilder = (atoms, sink) =>
  expiryFirst(atoms, sink, 1, numberOf(atoms[0] ?? 0, sink, EXPIRY) - 1)

function expiryFirst(atoms: readonly Atom[], sink: Sink, start: number, base: number): HashPair[] {
  const pairs: HashPair[] = []
  for (let at = start; at + 2 < atoms.length; at += 3) {
    const expiry = numberOf(atoms[at]!, sink, EXPIRY)
    pairs.push(pair(atoms[at + 1]!, atoms[at + 2]!, expiry === 0 ? 0 : base + expiry, 0))
  }
  return pairs
}

function pair(field: Atom, value: Atom, expireAtMs: number, none: number): HashPair {
  return expireAtMs === none ? [bytesOf(field), bytesOf(value)] : [bytesOf(field), bytesOf(value), expireAtMs]
}

const EXPIRY = "an expiry"

/* Redis prints infinite scores as inf and -inf. */
function numberOf(atom: Atom, sink: Sink, what: string): number {
  if (typeof atom === "number") return atom
  const text = String(atom)
  if (text === "inf" || text === "-inf") return text === "inf" ? Infinity : -Infinity
  const number = text === "" ? NaN : Number(text)
  if (Number.isNaN(number)) throw sink.corrupt(`${what} that is not a number`)
  return number
}
