/* What the proposal rests on, pattern by pattern, and what it does not explain. */

import type { TtlForm } from "../../../schema/json/form.ts"
import type { DatabaseMiner } from "../mine/database-miner.ts"
import { showUnknown } from "../../model/unknown-patterns.ts"
import { exampleOf } from "./redact.ts"
import type { FoundEntity } from "../structure/found-entity.ts"
import type { EntityRole } from "../../../schema/key.ts"
import type { Pattern } from "../mine/pattern.ts"
import { ttlForm } from "./def-form.ts"
import { seenOf } from "./seen.ts"
import type { Findings, Proposal } from "./proposal.ts"
import type { Ids } from "./proposal-params.ts"
import type { TtlClass } from "../values/ttls.ts"

/**
 * One pattern of a proposed schema, with what it rests on.
 * @example
 * const line = ({ pattern, kind, keys, doubt }: InferredKey) => `${pattern} ${kind}: ${keys} keys, doubt ${doubt}`
 */
export interface InferredKey {
  /** The name in the proposal; of a key that belongs to an entity, the entity's. */
  readonly name: string
  readonly db: number
  readonly pattern: string
  /** What it is to the entity that it belongs to. */
  readonly role?: EntityRole
  readonly type: string
  readonly kind: string
  readonly keys: number
  /** Values that were read. */
  readonly read: number
  /** At most this share of the values that were not read differs, with a confidence of 95 %. */
  readonly doubt: number
  readonly ttl: {
    readonly class: TtlClass
    /** Absent where too little was seen to say it. */
    readonly rule?: TtlForm
    readonly without: number
  }
  /** Secrets redacted. */
  readonly examples: readonly string[]
  readonly notes: readonly string[]
  /** The program that it belongs to, where that is known. */
  readonly software?: string
  /** What was seen and is not declared, since it may be chance: `seen: at most 27`. */
  readonly seen: readonly string[]
}

/**
 * Keys that a proposed schema does not explain, and why.
 * @example
 * const line = ({ pattern, reason, keys }: Unexplained) => `${pattern}: ${reason}, ${keys} keys`
 */
export interface Unexplained {
  readonly db: number
  readonly reason:
    | "no pattern"
    | "another type"
    | "not text"
    | "a module's type"
    | "a field that is not text"
    | "a segment that does not fit"
    | "fields that are data"
  readonly pattern: string
  readonly keys: number
  /** What most of them are. */
  readonly type?: string
  readonly examples: readonly string[]
}

export const inferredKeys = (
  { patterns, ids, entities, alike }: Findings,
  { names, entities: declared }: Proposal,
): InferredKey[] =>
  patterns.map((pattern) => {
    const { row, db, type, of, described } = pattern
    const role = declared.includes(pattern) ? roleOf(pattern, entities) : undefined
    return {
      name: names.get(pattern) ?? "",
      db,
      pattern: row.pattern(pattern.names),
      ...(role !== undefined && { role }),
      type,
      kind: described.kind,
      keys: of.count,
      read: of.values.read,
      doubt: doubt(of),
      ttl: ttlOf(pattern),
      examples: of.examples.slice(0, 2).map((key) => exampleOf(pattern, key, (i) => ids.isSecret(pattern, i))),
      notes: described.notes,
      ...(row.known !== undefined && { software: row.known.about }),
      seen: [...seenOf(pattern), ...alikeSeen(alike.get(pattern))],
    }
  })

const alikeSeen = (other: Pattern | undefined): string[] =>
  other === undefined ? [] : [`seen: the same ids as ${other.row.pattern()}`]

function ttlOf(pattern: Pattern): InferredKey["ttl"] {
  const { ttls } = pattern.of
  const rule = ttlForm(pattern)
  return { class: ttls.class, ...(rule !== undefined && { rule }), without: ttls.without }
}

function roleOf(pattern: Pattern, entities: readonly FoundEntity[]): EntityRole | undefined {
  for (const entity of entities) {
    if (entity.pattern === pattern) return "record"
    if (entity.counter === pattern) return "counter"
    if (entity.all === pattern) return "all"
    const index = entity.indexes.find(({ patterns }) => patterns.includes(pattern))
    if (index !== undefined) return index.patterns[0] !== pattern ? "mirror" : index.unique ? "unique" : "index"
  }
  return undefined
}

/** The rule of three: nothing else in n draws, of values or of the elements of large ones. */
function doubt({ count, values: { read, cut, cells } }: Pattern["of"]): number {
  const of = (draws: number) => Math.min(1, 3 / Math.max(1, draws))
  return Math.max(read >= count ? 0 : of(read), cut === 0 ? 0 : of(cells.count))
}

export function unexplainedOf(miners: readonly DatabaseMiner[], { patterns, ids }: Findings): Unexplained[] {
  const found = patterns.flatMap((pattern) => unexplainedIn(pattern, ids))
  const described = new Set(patterns.map(({ row }) => row))
  for (const { db, strangers, binary, rows } of miners) {
    for (const row of rows)
      if (!described.has(row) && row.count > 0 && isModule(row.main[0]))
        found.push({
          db,
          reason: "a module's type",
          pattern: row.pattern(),
          keys: row.count,
          type: row.main[0],
          examples: row.main[1].examples.slice(0, 2).map(showUnknown),
        })
    for (const [pattern, { keys, types, examples }] of strangers.groups) {
      const [type] = [...types].sort((a, b) => b[1] - a[1])[0] ?? []
      found.push({
        db,
        reason: "no pattern",
        pattern,
        keys,
        ...(type !== undefined && { type }),
        examples: examples.map(showUnknown),
      })
    }
    if (binary > 0) found.push({ db, reason: "not text", pattern: "{bytes}", keys: binary, examples: [] })
  }
  return found.sort((a, b) => b.keys - a.keys)
}

const isModule = (type: string): boolean => !["string", "hash", "list", "set", "zset", "stream"].includes(type)

/** Keys that have the form of a pattern, and something else than most of them. */
function unexplainedIn(pattern: Pattern, ids: Ids): Unexplained[] {
  const { db, type, of, row, names } = pattern
  const { fields, filled, misnamed } = of.values
  const found: Unexplained[] = []
  const add = (reason: Unexplained["reason"], ofType: string, keys: number, some: readonly string[]) => {
    const examples = some.slice(0, 2).map((key) => exampleOf(pattern, key, (param) => ids.isSecret(pattern, param)))
    if (keys > 0) found.push({ db, reason, pattern: row.pattern(names), keys, type: ofType, examples })
  }
  for (const [other, { count, examples }] of row.types) if (other !== type) add("another type", other, count, examples)
  add("a segment that does not fit", type, of.misfits, of.misfitting)
  // No schema can name these fields.
  if (type === "stream" && fields === undefined) add("fields that are data", type, filled, of.examples)
  else add("a field that is not text", type, misnamed, of.misnamed)
  return found
}
