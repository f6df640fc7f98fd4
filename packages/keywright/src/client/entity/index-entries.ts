/* Which index entries a record has: one per index and mirror, none where a field is
 * absent or a condition does not hold. Pure: the same document always yields the same
 * entries. */

import { spread } from "../call/spread.ts"
import { SchemaError } from "../../errors/error.ts"
import { keyBoundParam } from "../../errors/key.ts"
import { scoreRefused } from "../../errors/record.ts"
import type { Entity, Index } from "../../schema/entity.ts"
import type { Bound, ReadyKey } from "../call/ready-key.ts"
import type { Document } from "./record-store.ts"
import type { Repository } from "./repository.ts"

export interface IndexEntry {
  readonly index: string
  readonly kind: IndexKeys["kind"]
  readonly key: string
  readonly score: string | undefined
  readonly ready: ReadyKey
}

export interface IndexKeys {
  readonly name: string
  readonly index: Index
  readonly kind: "unique" | "set" | "zset"
  /** The first is read; all are written. */
  readonly ready: readonly ReadyKey[]
  /** Every field that its entries depend on. */
  readonly depends: readonly string[]
  /** Entries that were made before, by value, within one scope. */
  readonly seen: { bound: Bound | undefined; readonly entries: Map<string, readonly IndexEntry[]> }
}

/** An entity, with the parameters of its scope as they are bound. */
type InGroup = Pick<Repository, "name" | "bound" | "named">

const MOST_SEEN = 1000

export function indexKeysOf(entity: Entity, path: string, ready: ReadonlyMap<string, ReadyKey>): IndexKeys[] {
  const of = (indexes: Readonly<Record<string, Index>>, unique: boolean): IndexKeys[] =>
    Object.entries(indexes).map(([name, index]) => ({
      name,
      index,
      kind: unique ? "unique" : index.score === undefined ? "set" : "zset",
      ready: index.patterns.map((_, i) => ready.get(i === 0 ? `${path}#${name}` : `${path}#${name}~${i}`)!),
      seen: { bound: undefined, entries: new Map() },
      depends: [
        ...new Set([
          ...index.fields,
          ...Object.keys(index.where ?? {}),
          ...(index.score === undefined ? [] : [index.score]),
        ]),
      ],
    }))
  return [...of(entity.unique, true), ...of(entity.index, false)]
}

/** The entries of one index: as many as it has patterns, or none. */
export function entriesIn(
  { name: entity, bound }: InGroup,
  keys: IndexKeys,
  document: Document,
): readonly IndexEntry[] {
  const { name, index, kind, ready, seen } = keys
  // The same few values occur again and again in sets: their entries are made once.
  const only = kind === "set" && index.fields.length === 1 ? document[index.fields[0]!] : undefined
  const isSimple = typeof only === "string"
  if (isSimple && seen.bound === bound) {
    const known = seen.entries.get(only)
    if (known && meets(index, document)) return known
  }
  const values = valuesOf(index, document, bound)
  if (!values) return []
  const score = index.score === undefined ? undefined : scoreOf(entity, name, index.score, document[index.score])
  if (index.score !== undefined && score === undefined) return []
  const entries = ready.map((one) => ({ index: name, kind, key: one.build(values), score, ready: one }))
  if (isSimple) {
    if (seen.bound !== bound || seen.entries.size >= MOST_SEEN) {
      seen.bound = bound
      seen.entries.clear()
    }
    seen.entries.set(only, entries)
  }
  return entries
}

/** Those that a record is given. A group that is bound to one user does not give any to a record of another one. */
export function entriesEntered(of: InGroup, keys: IndexKeys, document: Document): readonly IndexEntry[] {
  const entries = entriesIn(of, keys, document)
  const { bound, named } = of
  if (named === bound || entries.length === 0) return entries
  for (const by of keys.index.fields) {
    if (named[by] === undefined || by in bound || document[by] === named[by]) continue
    const [own] = entriesIn(of, keys, { ...document, [by]: named[by] })
    if (own?.key !== entries[0]!.key) throw keyBoundParam(keys.ready[0]!.declared.pattern, by)
  }
  return entries
}

/** The entries that a record leaves; it has none in another shard, whatever its fields say. */
export function entriesLeft(of: InGroup, keys: IndexKeys, document: Document): readonly IndexEntry[] {
  try {
    return entriesIn(of, keys, document)
  } catch (error) {
    if (isOtherShard(error)) return []
    throw error
  }
}

const isOtherShard = (error: unknown): boolean => error instanceof SchemaError && error.code === "KEY.OTHER_SHARD"

/** Whether two states of a record have the same entries in this index, judging by its fields. */
export const sameEntries = ({ depends }: IndexKeys, one: Document, other: Document): boolean =>
  depends.every((field) => one[field] === other[field])

/** Whether a record, by its own fields, has the entry with these values: one that another program left behind is skipped. */
export function hasEntry(of: InGroup, keys: IndexKeys, document: Document, fields: Bound): boolean {
  const { name: entity, bound } = of
  const { index, ready } = keys
  if (!meets(index, document)) return false
  if (index.score !== undefined && scoreOf(entity, keys.name, index.score, document[index.score]) === undefined)
    return false
  let isSame = true
  for (const field of index.fields) {
    const value = document[field]
    if (value === undefined || value === null) return false
    if (value !== fields[field]) isSame = false
  }
  if (isSame) return true
  const key = ready[0]!.build(spread(fields, bound))
  return entriesLeft(of, keys, document)[0]?.key === key
}

/** Whether the condition of an index holds. */
function meets({ where }: Pick<Index, "where">, document: Document): boolean {
  for (const field in where) if (document[field] !== where[field]) return false
  return true
}

/** The parameters of the index's keys; undefined where the record has no entry. */
function valuesOf({ fields, where }: Index, document: Document, bound: Bound): Record<string, unknown> | undefined {
  if (where && !meets({ where }, document)) return undefined
  const values: Record<string, unknown> = {}
  for (const field of fields) {
    const value = document[field]
    if (value === undefined || value === null) return undefined
    values[field] = value
  }
  return Object.assign(values, bound)
}

/** Numbers as they are, dates as milliseconds; absent: no entry. */
function scoreOf(entity: string, index: string, field: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  const score = value instanceof Date ? value.getTime() : typeof value === "string" ? Date.parse(value) : Number(value)
  if (typeof value === "boolean" || Number.isNaN(score)) throw scoreRefused(entity, index, field)
  return String(score)
}
