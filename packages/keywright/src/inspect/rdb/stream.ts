/* The value of a stream: its entries, and its groups with what they have delivered and
 * not seen acknowledged.
 *
 * Entries lie in listpacks. The first element counts those that live, then follow the
 * deleted ones, the fields that most of them share, and a zero; each entry is its flags,
 * its id as a difference to the node's, its fields or only their values, and how many
 * elements that were. */

import { type Atom, bytesOf } from "./atom.ts"
import { unpackListpack } from "./listpack.ts"
import { Sink } from "./sink.ts"

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

/** The same, where entries are made when they are asked for. */
export interface RdbStreamFacts extends Omit<RdbStream, "entries"> {
  readonly entries: StreamEntries
}

/** An array is one. */
export interface StreamEntries {
  readonly length: number
  at(index: number): RdbStreamEntry | undefined
}

/**
 * The most words of a node, which becomes objects as a whole. Servers begin another after 100 entries, unless they are
 * configured otherwise.
 */
const MOST_OF_NODE = 1 << 17

const DELETED = 1
const SAME_FIELDS = 2

/** What the objects of a stream that was read whole are: words, ids, entries. */
export function objectsIn({ entries, groups }: RdbStream | RdbStreamFacts): number {
  const made = Array.isArray(entries) ? (entries as readonly RdbStreamEntry[]) : []
  const inEntries = made.reduce((sum, [, words]) => sum + 2 + words.length, 0)
  return groups.reduce((sum, { consumers, pending }) => sum + consumers.length + 4 * pending.length, inEntries)
}

/** Makes a stream of everything that its layout holds, counts included. */
export function streamOf(atoms: readonly Atom[], version: 1 | 2 | 3, sink: Sink): RdbStream {
  const entries: RdbStreamEntry[] = []
  return {
    ...factsOf(atoms, version, sink, (id, pack) => entries.push(...entriesOf(id, pack, sink))),
    entries,
  }
}

/** The same, but its entries stay packed. */
export function packedStreamOf(atoms: readonly Atom[], version: 1 | 2 | 3, sink: Sink): RdbStreamFacts {
  const entries = new PackedEntries(sink)
  return {
    ...factsOf(atoms, version, sink, (id, pack) => entries.add(id, pack)),
    entries,
  }
}

function factsOf(
  atoms: readonly Atom[],
  version: 1 | 2 | 3,
  sink: Sink,
  onNode: (id: Buffer, pack: Buffer) => void,
): Omit<RdbStream, "entries"> {
  const row = new AtomReader(atoms, sink)
  for (let nodes = row.number(); nodes > 0; nodes--) onNode(row.bytes(), row.bytes())
  row.number()
  const lastId = row.id()
  if (version >= 2) row.id()
  const since2 = version >= 2 ? { maxDeletedId: row.id(), added: row.number() } : {}
  const groups: RdbGroup[] = []
  for (let left = row.number(); left > 0; left--) groups.push(groupOf(row, version))
  return { lastId, ...since2, groups }
}

/** The newest entries, of nodes alone; nothing is said about groups. */
export function newestOf(atoms: readonly Atom[], most: number, sink: Sink): RdbStream {
  let newest: RdbStreamEntry[] = []
  for (let at = atoms.length - 2; at >= 0 && newest.length < most; at -= 2)
    newest = [...entriesOf(bytesOf(atoms[at]!), bytesOf(atoms[at + 1]!), sink), ...newest].slice(-most)
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

/** The entries of a node, which are not too many for `push(...)`. */
function entriesOf(master: Buffer, pack: Buffer, sink: Sink): RdbStreamEntry[] {
  if (master.length !== 16) throw sink.corrupt("a stream node without an id")
  const entries: RdbStreamEntry[] = []
  const inner = unpacked(pack, sink, Infinity)
  sink.addWords(inner.count)
  const row = new AtomReader(inner.atoms, sink)
  const live = row.number()
  const count = live + row.number()
  const shared: Buffer[] = []
  for (let left = row.number(); left > 0; left--) shared.push(row.bytes())
  row.number()
  const [ms, seq] = [master.readBigUInt64BE(0), master.readBigUInt64BE(8)]
  for (let at = 0; at < count; at++) {
    const flags = row.number()
    const id = `${wrapped(ms + row.big())}-${wrapped(seq + row.big())}`
    const fields: Buffer[] = []
    if (flags & SAME_FIELDS) for (const field of shared) fields.push(field, row.bytes())
    else for (let left = row.number(); left > 0; left--) fields.push(row.bytes(), row.bytes())
    row.number()
    if (!(flags & DELETED)) entries.push([id, fields])
  }
  if (entries.length !== live || !row.isAtEnd) throw sink.corrupt("a stream node with other entries than it says")
  return entries
}

/** The words of a node, of which the first ones are kept. */
function unpacked(pack: Buffer, { offset }: Sink, room: number): Sink {
  const inner = new Sink()
  inner.reset(room)
  inner.offset = offset
  inner.mostPacked = MOST_OF_NODE
  unpackListpack(pack, inner)
  return inner
}

interface StreamNode {
  readonly id: Buffer
  readonly pack: Buffer
  /** The position of its first entry. */
  readonly from: number
}

/** The node that was unpacked last, of any stream: kept for each of them, they would take a thousand times their file. */
let open: { readonly node: StreamNode; readonly entries: readonly RdbStreamEntry[] } | undefined

/** Nodes as the file holds them, of which one is unpacked at a time. */
class PackedEntries implements StreamEntries {
  length = 0
  readonly #offset: number
  readonly #nodes: StreamNode[] = []

  constructor({ offset }: Sink) {
    this.#offset = offset
  }

  add(id: Buffer, pack: Buffer): void {
    const sink = this.#sink()
    const live = new AtomReader(unpacked(pack, sink, 1).atoms, sink).number()
    if (!(live >= 0)) throw sink.corrupt("a stream node that does not say how many entries it has")
    // Nobody would ask for one of its entries, and so nobody would look whether there are some.
    if (live === 0) entriesOf(id, pack, sink)
    this.#nodes.push({ id, pack, from: this.length })
    this.length += live
  }

  at(index: number): RdbStreamEntry | undefined {
    if (index >= this.length) return undefined
    let [low, high] = [0, this.#nodes.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#nodes[middle]!.from > index) high = middle - 1
      else low = middle
    }
    const node = this.#nodes[low]!
    if (open?.node !== node) open = { node, entries: entriesOf(node.id, node.pack, this.#sink()) }
    return open.entries[index - node.from]
  }

  #sink(): Sink {
    const sink = new Sink()
    sink.offset = this.#offset
    return sink
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

  get isAtEnd(): boolean {
    return this.#at === this.#atoms.length
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
    return `${this.big()}-${this.big()}`
  }

  #next(): Atom {
    const atom = this.#atoms[this.#at++]
    if (atom === undefined) throw this.#sink.corrupt("a stream that ends too early")
    return atom
  }
}

/** Differences of ids are of 64 bits with a sign, and ids of 64 without one. */
const wrapped = (part: bigint): bigint => BigInt.asUintN(64, part)

const idText = (id: Buffer): string => `${id.readBigUInt64BE(0)}-${id.readBigUInt64BE(8)}`
