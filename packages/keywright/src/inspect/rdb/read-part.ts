import { emptyFacts, type RdbFacts } from "./facts.ts"
import { RdbBatch } from "./batch.ts"
import { Cursor } from "./cursor.ts"
import { LONGEST_NAME } from "./long-key.ts"
import { END, Parser, type RdbKey } from "./parser.ts"
import { NO_LIMITS, type RdbMode } from "./value-reader.ts"

/** Bytes of a long string that are kept: as many as an audit asks for first. */
const KEPT_OF_LONG = 65_536

/** Where the bytes of a part come from. */
export interface RdbPart {
  readonly magic: RdbFacts["magic"]
  readonly db: number
  /** Where the first of its keys begins. */
  readonly offset: number
}

/** Reads consecutive keys in a part of a file, which has been read as a whole before; values flat. */
export function* readPart(
  bytes: Buffer,
  { magic, db, offset }: RdbPart,
  mode: RdbMode | ((key: RdbKey) => RdbMode),
  /** How many keys there are, about. */
  keys: number,
  /** Only the beginning of longer strings is kept. */
  maxString = NO_LIMITS.maxString,
): Generator<RdbBatch> {
  const limits = { ...NO_LIMITS, maxString, prefix: KEPT_OF_LONG, streams: true, flat: true }
  const parser = new Parser(Cursor.over(bytes, offset), emptyFacts(), {
    mode,
    limits,
    longestName: LONGEST_NAME,
    anyVersion: true,
  })
  parser.beginAt(magic, db)
  for (;;) {
    const batch = new RdbBatch(bytes, keys)
    const state = parser.run(batch)
    if (batch.length > 0) yield batch
    if (state === END) return
  }
}
