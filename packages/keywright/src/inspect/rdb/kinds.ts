/* Every type of value that an RDB file can hold: its number in the file, what
 * it is called, how it lies there, and what is made of it. */

import { countIntset, unpackIntset } from "./intset.ts"
import * as lay from "./layout.ts"
import { DOUBLE, each, ID, ID_PART, items, LENGTH, MILLIS, STRING } from "./layout.ts"
import { countListpack, unpackListpack } from "./listpack.ts"
import * as shape from "./shape.ts"
import type { Sink } from "./sink.ts"
import { countZiplist, unpackZiplist } from "./ziplist.ts"
import { countZipmap, unpackZipmap } from "./zipmap.ts"

export type RdbType = "string" | "list" | "set" | "zset" | "hash" | "stream" | "module"

/** A format in which one string holds many elements. */
export interface Pack {
  /** Bytes that `count` looks at. */
  readonly header: number
  readonly count: (bytes: Uint8Array, start: number) => number
  readonly unpack: (bytes: Buffer, sink: Sink) => void
}

export interface Kind {
  readonly type: RdbType
  /** How the file holds it, in the words of OBJECT ENCODING where there are such. */
  readonly encoding: string
  readonly program: lay.Program
  /** What the strings of the layout are, if not elements themselves. */
  readonly pack: Pack | undefined
  /** Atoms per element: 2 for pairs, 3 for a field, its value and its expiry. */
  readonly width: number
  /** Atoms before the first element. */
  readonly lead: number
  /** Makes the value in full mode; without it, the value is passed over. */
  readonly shape: shape.ValueBuilder | undefined
  /** Its elements in a row are its value; pairs still have to be formed. */
  readonly isFlat: boolean
  /** The shape needs all that the layout holds, counts included: decoded only on request. */
  readonly whole: boolean
}

const listpack: Pack = { header: 6, count: countListpack, unpack: unpackListpack }
const ziplist: Pack = { header: 10, count: countZiplist, unpack: unpackZiplist }
const intset: Pack = { header: 8, count: countIntset, unpack: unpackIntset }
const zipmap: Pack = { header: 1, count: countZipmap, unpack: unpackZipmap }

function kind(type: RdbType, encoding: string, layout: readonly lay.LayoutWord[], rest: Partial<Kind> = {}): Kind {
  const defaults = { pack: undefined, width: 1, lead: 0, shape: undefined, isFlat: false, whole: false }
  return { ...defaults, ...rest, type, encoding, program: lay.compile(layout) }
}

const list = { shape: shape.elements, isFlat: true }
const zset = { shape: shape.scores, isFlat: true, width: 2 }
const hash = { shape: shape.fields, isFlat: true, width: 2 }
const expiring = { width: 3 }

function stream(version: 1 | 2 | 3): Kind {
  const since2 = (...words: number[]) => (version >= 2 ? words : [])
  const since3 = (...words: number[]) => (version >= 3 ? words : [])
  const pending = each(ID, MILLIS, LENGTH)
  const consumers = each(STRING, MILLIS, ...since3(MILLIS), each(ID))
  const groups = each(STRING, ID_PART, ID_PART, ...since2(LENGTH), pending, consumers)
  const lastId = [ID_PART, ID_PART]
  const firstIdDeletedIdAdded = since2(ID_PART, ID_PART, ID_PART, ID_PART, LENGTH)
  const layout = [each(STRING, STRING), lay.SIZE, ...lastId, ...firstIdDeletedIdAdded, groups]
  return kind("stream", "stream", layout, { shape: shape.stream(version), whole: true })
}

/* By number. Valkey 9 gave 22 another meaning than Redis 7.4. */
const byCode: Record<number, Kind> = {
  0: kind("string", "raw", [STRING], { shape: shape.single, isFlat: true }),
  1: kind("list", "linkedlist", [items(STRING)], list),
  2: kind("set", "hashtable", [items(STRING)], list),
  3: kind("zset", "skiplist", [items(STRING, lay.SCORE)], zset),
  4: kind("hash", "hashtable", [items(STRING, STRING)], hash),
  5: kind("zset", "skiplist", [items(STRING, DOUBLE)], zset),
  7: kind("module", "module", [lay.MODULE_ID, lay.MODULE]),
  9: kind("hash", "zipmap", [STRING], { ...hash, pack: zipmap }),
  10: kind("list", "ziplist", [STRING], { ...list, pack: ziplist }),
  11: kind("set", "intset", [STRING], { ...list, pack: intset }),
  12: kind("zset", "ziplist", [STRING], { ...zset, pack: ziplist }),
  13: kind("hash", "ziplist", [STRING], { ...hash, pack: ziplist }),
  14: kind("list", "quicklist", [each(STRING)], { ...list, pack: ziplist }),
  15: stream(1),
  16: kind("hash", "listpack", [STRING], { ...hash, pack: listpack }),
  17: kind("zset", "listpack", [STRING], { ...zset, pack: listpack }),
  18: kind("list", "quicklist", [each(lay.CONTAINER, STRING)], { ...list, pack: listpack }),
  19: stream(2),
  20: kind("set", "listpack", [STRING], { ...list, pack: listpack }),
  21: stream(3),
  22: kind("hash", "hashtable", [items(LENGTH, STRING, STRING)], { ...expiring, shape: shape.expiryThenFields }),
  23: kind("hash", "listpackex", [STRING], { ...expiring, pack: listpack, shape: shape.fieldsThenExpiry(0) }),
  24: kind("hash", "hashtable", [MILLIS, items(LENGTH, STRING, STRING)], {
    ...expiring,
    lead: 1,
    shape: shape.relativeExpiryThenFields,
  }),
  25: kind("hash", "listpackex", [MILLIS, STRING], {
    ...expiring,
    lead: 1,
    pack: listpack,
    shape: shape.earliestThenFields,
  }),
}

const valkeyHashWithExpiries = kind("hash", "hashtable", [items(STRING, STRING, MILLIS)], {
  ...expiring,
  shape: shape.fieldsThenExpiry(-1),
})

const sections: Record<number, Kind> = {
  244: kind("module", "slot info", [LENGTH, LENGTH, LENGTH]),
  245: kind("module", "function library", [STRING]),
  247: kind("module", "module data", [lay.MODULE_ID, LENGTH, LENGTH, lay.MODULE]),
}

const slotImport = kind("module", "slot import", [STRING, each(LENGTH, LENGTH)])

/** One place for each value of a byte. */
const table = (rows: Readonly<Record<number, Kind>>): readonly (Kind | undefined)[] =>
  Array.from({ length: 256 }, (_, code) => rows[code])

/** The kinds of value of a file, by their number there. */
export const kindsOf = { REDIS: table(byCode), VALKEY: table({ ...byCode, 22: valkeyHashWithExpiries }) }

/** What is between the keys and skipped, by opcode. */
export const sectionsOf = { REDIS: table(sections), VALKEY: table({ ...sections, 243: slotImport }) }
