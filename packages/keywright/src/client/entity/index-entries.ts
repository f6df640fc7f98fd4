/* Which index entries a record has: one per index and mirror, none where a field is
 * absent or a condition does not hold. Pure: the same document gives the same. */

import { scoreRefused } from "../../errors/record.ts"
import type { Entity, Index } from "../../schema/entity.ts"
import type { Declared } from "../declared.ts"
import type { Document } from "./record-store.ts"

export interface IndexEntry {
  readonly index: string
  readonly kind: "unique" | "set" | "zset"
  readonly key: string
  readonly score?: string
}

/** Builds the key of an index from its fields, for one pattern of it. */
export interface IndexKeys {
  readonly name: string
  readonly index: Index
  readonly unique: boolean
  /** The declared keys: the first is read, all are written. */
  readonly declared: readonly Declared[]
}

export function indexKeysOf(entity: Entity, path: string, declared: ReadonlyMap<string, Declared>): IndexKeys[] {
  const of = (indexes: Readonly<Record<string, Index>>, unique: boolean): IndexKeys[] =>
    Object.entries(indexes).map(([name, index]) => ({
      name,
      index,
      unique,
      declared: index.patterns.map((_, i) => declared.get(i === 0 ? `${path}#${name}` : `${path}#${name}~${i}`)!),
    }))
  return [...of(entity.unique, true), ...of(entity.index, false)]
}

export function indexEntries(
  entity: string,
  keys: readonly IndexKeys[],
  document: Document,
  bound: Readonly<Record<string, unknown>>,
): IndexEntry[] {
  return keys.flatMap(({ name, index, unique, declared }): IndexEntry[] => {
    const { fields, where, score } = index
    for (const field in where) if (document[field] !== where[field]) return []
    const values: Record<string, unknown> = { ...bound }
    for (const field of fields) {
      const value = document[field]
      if (value === undefined || value === null) return []
      values[field] = value
    }
    const text = score === undefined ? undefined : scoreOf(entity, name, score, document[score])
    if (score !== undefined && text === undefined) return []
    return declared.map(({ build }) => ({
      index: name,
      kind: unique ? "unique" : score === undefined ? "set" : "zset",
      key: build(values),
      ...(text !== undefined && { score: text }),
    }))
  })
}

/** Numbers as they are, dates as milliseconds; absent: no entry. */
function scoreOf(entity: string, index: string, field: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  const score = value instanceof Date ? value.getTime() : typeof value === "string" ? Date.parse(value) : Number(value)
  if (typeof value === "boolean" || Number.isNaN(score)) throw scoreRefused(entity, index, field)
  return String(score)
}
