/* The keys of an RDB file as lines of an export. Modules are not decoded there, and
 * expiring fields have no place in a line: such lines say so. */

import { resumeRefused } from "../../errors/inspect.ts"
import { isCount } from "../../schema/codec/json-checks.ts"
import { declaredKeys } from "../../inspect/walk/databases.ts"
import { globMatcher } from "../../inspect/walk/glob.ts"
import { type RdbBatch, type RdbRecord, type RdbStream, readRdb } from "../../inspect/rdb/index.ts"
import { elementsOf } from "../../inspect/snapshot/snapshot-key.ts"
import type { RdbSource } from "../../inspect/snapshot/rdb-source.ts"
import { savedAt } from "../../inspect/snapshot/saved-at.ts"
import { asWire } from "../../inspect/walk/wire.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import type { ExportSink } from "./export-sink.ts"
import type { ExportTally } from "./export-tally.ts"
import { FIELDS_EXPIRE } from "./field-deadlines.ts"
import type { ExportOptions } from "./export-keys.ts"
import { type OwnedKey, writeKey, writeParts, writeUnreadable } from "./key-lines.ts"
import { PART, type ValuePart } from "./key-value.ts"
import { LineWriter } from "./line-writer.ts"
import { lineWord, type StreamEnd } from "./lines.ts"
import { type CopiedAs, ownersOf } from "./owners.ts"

/** Elements of a collection that are in memory at once, unless they are packed together: several lines of them. */
const PIECE = 10 * PART
/** A longer string takes several times its size as a line, which could not be read again. */
const LONGEST_VALUE = 128 * 1024 * 1024

interface RdbExport extends ExportOptions {
  readonly wants: (owner: CopiedAs) => boolean
  readonly tally: ExportTally
  readonly sink: ExportSink
}

export async function exportRdb(
  keyspace: Keyspace | undefined,
  { rdb, db: own = 0 }: RdbSource,
  options: RdbExport,
): Promise<void> {
  const { sink, tally, secrets = false, databases } = options
  const skip = sink.from === undefined ? 0 : Number(sink.from.resume)
  if (!isCount(skip)) throw resumeRefused(sink.from!.resume)
  const matches = options.match === undefined ? () => true : globMatcher(options.match)
  const owners = new Map<number, ReturnType<typeof ownersOf>>()
  const ownerOf = (db: number) => {
    let of = owners.get(db)
    if (of === undefined) owners.set(db, (of = ownersOf(keyspace, declaredKeys(keyspace, db, own), secrets)))
    return of
  }
  let seen = 0
  const lines = new LineWriter()
  const flush = () => sink.write(lines.take())
  const reader = readRdb(rdb, { values: "full", streams: true, maxBytes: LONGEST_VALUE, pieces: PIECE })
  const records = new RecordRow(reader)
  try {
    while (await records.more()) {
      options.signal?.throwIfAborted()
      const { earliest } = savedAt(reader.facts)
      for (let record = records.here(); record !== undefined; record = records.here()) {
        if (record.more !== true) seen++
        if (seen + (record.more ? 1 : 0) <= skip || (databases !== undefined && !databases.includes(record.db)))
          continue
        if (record.expireAtMs !== undefined && record.expireAtMs <= earliest) continue
        const owner = ownerOf(record.db)(asWire(record.key))
        if (!options.wants(owner) || !matches(record.key)) continue
        await writeRecord(lines, record, records, owner, tally, flush)
        if (record.more !== true) continue
        await records.finishKey()
        seen++
      }
      await flush()
      const resume = String(seen)
      sink.save(() => ({ resume, tallies: tally.result() }))
    }
  } finally {
    await records.close()
  }
}

/** The records of a file, which are taken one after another: also those that continue the value of one before. */
class RecordRow {
  readonly #batches: AsyncIterator<RdbBatch>
  #batch: RdbBatch | undefined
  #at = 0
  /** The record that was taken last has a piece of a value, and more follows. */
  #isUnfinished = false

  constructor(batches: AsyncIterable<RdbBatch>) {
    this.#batches = batches[Symbol.asyncIterator]()
  }

  /** Goes to the next batch; false after the last. */
  async more(): Promise<boolean> {
    const next = await this.#batches.next()
    this.#batch = next.done === true ? undefined : next.value
    this.#at = 0
    return this.#batch !== undefined
  }

  /** The next record of this batch. */
  here(): RdbRecord | undefined {
    if (this.#batch === undefined || this.#at >= this.#batch.length) return undefined
    const record = this.#batch.record(this.#at++)
    this.#isUnfinished = record.more === true
    return record
  }

  /** A record and those that continue it: a piece ends its batch. */
  async *pieces(first: RdbRecord): AsyncGenerator<RdbRecord> {
    yield first
    while (this.#isUnfinished && (await this.more())) {
      const next = this.here()
      if (next !== undefined) yield next
    }
  }

  /** Passes what is left of a key that was not written to its end. */
  async finishKey(): Promise<void> {
    while (this.#isUnfinished && (await this.more())) this.here()
  }

  async close(): Promise<void> {
    await this.#batches.return?.()
  }
}

async function writeRecord(
  lines: LineWriter,
  record: RdbRecord,
  records: RecordRow,
  owner: CopiedAs,
  tally: ExportTally,
  flush: () => Promise<void>,
): Promise<void> {
  const one: OwnedKey = { key: asWire(record.key), owner }
  const { type, db, expireAtMs } = record
  const reason = unreadable(record)
  if (type === "module" || reason !== undefined) {
    tally.note(owner.name, writeUnreadable(lines, db, one, reason ?? ""))
    return
  }
  const parts = record.more === true ? [] : recordInParts(record)
  const all = record.more === true ? partsOfPieces(records.pieces(record)) : parts
  const written =
    parts.length === 1
      ? writeKey(lines, db, one, expireAtMs, parts[0]!)
      : await writeParts(lines, db, one, type, expireAtMs, all, flush)
  tally.note(owner.name, written ?? { digest: undefined, leftOut: false })
}

function unreadable(record: RdbRecord): string | undefined {
  if (record.type === "module") return "a module's value, which only the module can read"
  if (record.value === undefined || record.cut) return "a value that was not read"
  if (record.expireAtMs !== undefined && !Number.isSafeInteger(record.expireAtMs))
    return "its deadline is a whole number of 2^53 or more"
  const hasFieldTtl = record.type === "hash" && record.value.some((pair) => pair.length === 3)
  return hasFieldTtl ? FIELDS_EXPIRE : undefined
}

async function* partsOfPieces(pieces: AsyncIterable<RdbRecord>): AsyncGenerator<ValuePart> {
  for await (const piece of pieces) for (const part of recordInParts(piece)) if (part.elements.length > 0) yield part
}

/** The value in parts of as many elements as a line has at most; one part at least. */
function recordInParts(record: RdbRecord): readonly ValuePart[] {
  const type = record.type as ValuePart["type"]
  const elements = record.type === "stream" ? entriesOf(record.value!) : elementsOf(record)
  const size = type === "hash" || type === "zset" ? 2 * PART : PART
  const parts: ValuePart[] = []
  for (let at = 0; at === 0 || at < elements.length; at += size)
    parts.push({ type, elements: elements.length <= size ? elements : elements.slice(at, at + size) })
  if (record.type === "stream") parts.push({ ...parts.pop()!, end: endOf(record.value!) })
  return parts
}

const entriesOf = ({ entries }: RdbStream): ValuePart["elements"] =>
  entries.map(([id, fields]) => [id, fields.map((field) => asWire(field))])

function endOf({ entries, lastId, added, maxDeletedId, groups }: RdbStream): StreamEnd {
  const word = (bytes: Buffer) => lineWord(asWire(bytes))
  const isPending = groups.some(({ pending }) => pending.length > 0)
  const there = new Set(isPending ? entries.map(([id]) => id) : [])
  return {
    lastId,
    ...(added !== undefined && { added }),
    ...(maxDeletedId !== undefined && { maxDeletedId }),
    groups: groups.map((group) => ({
      name: word(group.name),
      lastId: group.lastId,
      ...(group.read !== undefined && { read: group.read }),
      consumers: group.consumers.map(word),
      pending: group.pending
        .filter(([id]) => there.has(id))
        .map(([id, consumer, at, times]) => [id, word(consumer), at, times] as const),
    })),
  }
}
