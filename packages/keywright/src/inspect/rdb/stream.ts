/* The value of a stream: its entries, and its groups with what they have delivered and
 * not seen acknowledged.
 *
 * Entries lie in listpacks. The first element counts those that live, then follow the
 * deleted ones, the fields that most of them share, and a zero; each entry is its flags,
 * its id as a difference to the node's, its fields or only their values, and how many
 * elements that were. */

import { unpackListpack } from "./listpack.ts"
import { type Atom, bytesOf, Sink } from "./sink.ts"

export interface RdbStream {
  readonly entries: readonly RdbStreamEntry[]
  readonly lastId: string
  /** How many were ever added, and the highest id that was deleted: since Redis 7.0. */
  readonly added?: number
  readonly maxDeletedId?: string
  readonly groups: readonly RdbGroup[]
}

/** An id, and fields and values by turns. */
export type RdbStreamEntry = readonly [id: string, fields: readonly Buffer[]]

export interface RdbGroup {
  readonly name: Buffer
  readonly lastId: string
  /** Absent where the server does not know. */
  readonly read?: number
  readonly consumers: readonly Buffer[]
  readonly pending: readonly RdbPending[]
}

export type RdbPending = readonly [id: string, consumer: Buffer, deliveredAtMs: number, times: number]

const DELETED = 1
const SAME_FIELDS = 2

/** Makes a stream of everything that its layout holds, counts included. */
export function streamOf(atoms: readonly Atom[], version: 1 | 2 | 3, sink: Sink): RdbStream {
  const row = new AtomReader(atoms, sink)
  const entries: RdbStreamEntry[] = []
  for (let nodes = row.number(); nodes > 0; nodes--) unpackNode(row.bytes(), row.bytes(), entries, sink)
  row.number()
  const lastId = row.id()
  if (version >= 2) row.id()
  const since2 = version >= 2 ? { maxDeletedId: row.id(), added: row.number() } : {}
  const groups: RdbGroup[] = []
  for (let left = row.number(); left > 0; left--) groups.push(groupOf(row, version))
  return { entries, lastId, ...since2, groups }
}

/** The newest entries, of nodes alone; nothing is said of groups. */
export function newestOf(atoms: readonly Atom[], most: number, sink: Sink): RdbStream {
  const entries: RdbStreamEntry[] = []
  for (let at = 0; at + 1 < atoms.length; at += 2)
    unpackNode(bytesOf(atoms[at]!), bytesOf(atoms[at + 1]!), entries, sink)
  const newest = entries.slice(-most)
  return { entries: newest, lastId: newest.at(-1)?.[0] ?? "0-0", groups: [] }
}

function groupOf(row: AtomReader, version: 1 | 2 | 3): RdbGroup {
  const name = row.bytes()
  const lastId = row.id()
  const read = version >= 2 ? row.number() : NaN
  const delivered: [id: string, at: number, times: number][] = []
  for (let left = row.number(); left > 0; left--) delivered.push([idText(row.bytes()), row.number(), row.number()])
  const consumers: Buffer[] = []
  const holders = new Map<string, Buffer>()
  for (let left = row.number(); left > 0; left--) {
    const consumer = row.bytes()
    consumers.push(consumer)
    row.number()
    if (version >= 3) row.number()
    for (let held = row.number(); held > 0; held--) holders.set(idText(row.bytes()), consumer)
  }
  const pending = delivered.flatMap(([id, at, times]): RdbPending[] => {
    const holder = holders.get(id)
    return holder === undefined ? [] : [[id, holder, at, times]]
  })
  // A number that is not known is written as -1, without its sign.
  return { name, lastId, ...(read < 2 ** 63 && { read }), consumers, pending }
}

function unpackNode(master: Buffer, pack: Buffer, entries: RdbStreamEntry[], sink: Sink): void {
  if (master.length !== 16) throw sink.corrupt("a stream node without an id")
  const inner = new Sink()
  inner.reset(Infinity)
  inner.offset = sink.offset
  unpackListpack(pack, inner)
  sink.addWords(inner.count)
  const row = new AtomReader(inner.atoms, sink)
  const count = row.number() + row.number()
  const shared: Buffer[] = []
  for (let left = row.number(); left > 0; left--) shared.push(row.bytes())
  row.number()
  const [ms, seq] = [master.readBigUInt64BE(0), master.readBigUInt64BE(8)]
  for (let at = 0; at < count; at++) {
    const flags = row.number()
    const id = `${ms + row.big()}-${seq + row.big()}`
    const fields: Buffer[] = []
    if (flags & SAME_FIELDS) for (const field of shared) fields.push(field, row.bytes())
    else for (let left = row.number(); left > 0; left--) fields.push(row.bytes(), row.bytes())
    row.number()
    if (!(flags & DELETED)) entries.push([id, fields])
  }
}

/* Elements in a row, taken one after another. */
class AtomReader {
  readonly #atoms: readonly Atom[]
  readonly #sink: Sink
  #at = 0

  constructor(atoms: readonly Atom[], sink: Sink) {
    this.#atoms = atoms
    this.#sink = sink
  }

  number(): number {
    const atom = this.#next()
    if (typeof atom !== "number") throw this.#sink.corrupt("a stream with text where a number belongs")
    return atom
  }

  /** A number of up to 64 bits. */
  big(): bigint {
    const atom = this.#next()
    if (typeof atom === "number") return BigInt(atom)
    const text = String(atom)
    if (!/^-?\d{1,20}$/.test(text)) throw this.#sink.corrupt("a stream with text where an id belongs")
    return BigInt(text)
  }

  bytes(): Buffer {
    return bytesOf(this.#next())
  }

  id(): string {
    return `${this.number()}-${this.number()}`
  }

  #next(): Atom {
    const atom = this.#atoms[this.#at++]
    if (atom === undefined) throw this.#sink.corrupt("a stream that ends too early")
    return atom
  }
}

const idText = (id: Buffer): string => `${id.readBigUInt64BE(0)}-${id.readBigUInt64BE(8)}`
