/* The keys of an RDB file, read as a stream. The memory it takes is that of a
 * few chunks and of the values that are asked for, whatever the file's size. */

import { rdbContinues } from "../../errors/rdb.ts"
import { RdbBatch } from "./batch.ts"
import { chunksOfFile, chunksOfStream } from "./chunks.ts"
import { Cursor, LONGEST_STRING, MARGIN } from "./cursor.ts"
import { emptyFacts, type RdbFacts } from "./facts.ts"
import { END, Parser, type RdbKey } from "./parser.ts"
import { NO_LIMITS, type RdbMode, type ValueLimits } from "./value-reader.ts"

/** Limits are those of full mode. */
export interface ReadRdbOptions extends Partial<Omit<ValueLimits, "maxString" | "flat">> {
  /**
   * What to do with values: "skip" them (the default), read their "shallow" facts (the number of
   * elements), or decode them in "full"; or a function that decides for each key.
   */
  readonly values?: RdbMode | ((key: RdbKey) => RdbMode)
  /** Names of keys that have more bytes than this are shortened (long-key.ts). Default: none are. */
  readonly longestName?: number
  /** Verify the checksum at the end of the file. Default: yes. It takes about 1.5 ms per megabyte. */
  readonly checksum?: boolean
  /** Try files of versions that are not known. */
  readonly anyVersion?: boolean
}

/** Batches of keys, and what the file says about itself as far as it has been read. */
export interface RdbReader extends AsyncIterable<RdbBatch> {
  readonly facts: RdbFacts
}

/**
 * Reads an RDB file, from its path or from chunks of bytes (that must not be changed afterwards).
 *
 * ```ts
 * const reader = readRdb("dump.rdb", { values: "full" })
 * for await (const batch of reader) {
 *   for (const record of batch) console.log(record.db, record.key.toString(), record.type, record.value)
 * }
 * console.log(reader.facts.aux["redis-ver"])
 * ```
 *
 * A damaged file causes an error with code `RDB.…` and the offset, after the keys before the damage.
 */
export function readRdb(source: string | AsyncIterable<Uint8Array>, options: ReadRdbOptions = {}): RdbReader {
  const facts = emptyFacts()
  return {
    facts,
    [Symbol.asyncIterator]() {
      Object.assign(facts, emptyFacts())
      return batches(source, options, facts)
    },
  }
}

async function* batches(
  source: string | AsyncIterable<Uint8Array>,
  options: ReadRdbOptions,
  facts: RdbFacts,
): AsyncGenerator<RdbBatch, void, undefined> {
  const { values: mode = "skip", longestName = Infinity, checksum = true, anyVersion = false, ...given } = options
  const maxBytes = Math.min(given.maxBytes ?? LONGEST_STRING, LONGEST_STRING)
  const limits = { ...NO_LIMITS, ...given, maxBytes, maxString: maxBytes }
  const chunks = typeof source === "string" ? chunksOfFile(source) : chunksOfStream(source)
  const cursor = new Cursor(chunks, await chunks.size(), checksum)
  try {
    const parser = new Parser(cursor, facts, { mode, limits, longestName, anyVersion })
    await cursor.refill(MARGIN)
    for (;;) {
      const batch = new RdbBatch(cursor.bytes)
      const { state, failure } = attempt(parser, batch)
      facts.bytes = cursor.offset
      if (batch.length > 0) yield batch
      if (failure !== undefined) throw failure
      if (state === END) return await requireEnd(cursor)
      if (state > 0) await cursor.refill(state)
    }
  } finally {
    await cursor.close()
  }
}

/* What follows the end would be lost without a word. */
async function requireEnd(cursor: Cursor): Promise<void> {
  const { offset } = cursor
  await cursor.refill(1)
  if (cursor.end > cursor.at) throw rdbContinues(offset)
}

/* The keys before the damage are delivered before its error is thrown. */
function attempt(parser: Parser, batch: RdbBatch): { state: number; failure?: unknown } {
  try {
    return { state: parser.run(batch) }
  } catch (failure) {
    return { state: END, failure }
  }
}
