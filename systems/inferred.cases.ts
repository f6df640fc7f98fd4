/* How much of a declared schema was found again: patterns and when they go away, the
 * places that hold ids of the same thing, relations, invariants, and indexes. */

import type { connect, Key, Keyspace } from "keywright"
import { redisTypeOf } from "./platform/redis-type.ts"

export type Driver = ReturnType<Awaited<ReturnType<typeof connect>>["$driver"]>

export interface Score {
  readonly declared: number
  readonly found: number
  readonly right: number
  readonly precision: number
  readonly recall: number
  readonly f1: number
  readonly missed: readonly string[]
  readonly invented: readonly string[]
}

export interface Scores {
  readonly patterns: Score
  readonly ttls: Score
  readonly references: Score
  readonly indexes: Score
}

type Spec = Key["params"][string]["spec"]

const DATES: readonly string[] = ["day", "month", "compactDay"]

/** `"cart:{token}"` → `"0 cart:{}"`: names of parameters are anybody's guess; days and months are not. */
const shapeOfKey = ({ db, pattern, params }: Key): string =>
  `${db} ${pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    const { codec } = params[name]!.spec
    return DATES.includes(codec) ? `{${codec}}` : "{}"
  })}`

/** Parts of a value, or of a parameter, that hold ids: `""` for all of it, `" u_"` behind a tag. */
function idsIn(spec: Spec, at = ""): [part: string, id: string][] {
  switch (spec.codec) {
    case "id":
      return [[at, spec.name]]
    case "secret":
    case "optional":
    case "trimmed":
    case "compressed":
      return idsIn(spec.of, at)
    case "many":
      return idsIn(spec.item, at)
    case "tagged":
      return Object.entries(spec.tags).flatMap(([tag, of]) => idsIn(of, `${at} ${tag}`))
    case "delimited":
      return Object.entries(spec.fields).flatMap(([, of], i) => idsIn(of, `${at} ${i}`))
    default:
      return []
  }
}

/** Every place in keys and values that holds a named id, and whose. */
function idPlaces({ keys }: Keyspace): [place: string, id: string][] {
  return keys.flatMap((key) => {
    const at = shapeOfKey(key)
    const { fields = {}, ...parts } = key.shape as { fields?: object }
    const places = (codecs: object, label: (name: string, i: number) => string) =>
      Object.entries(codecs as Record<string, { spec: Spec }>).flatMap(([name, { spec }], i) =>
        idsIn(spec).map(([part, id]): [string, string] => [`${at} ${label(name, i)}${part}`, id]),
      )
    return [
      ...places(key.params, (_, i) => `{${i}}`),
      ...places(parts, (name) => name),
      ...places(fields, (name) => `.${name}`),
    ]
  })
}

/**
 * The messenger's notes of tenants and events hold a handful of projects: nothing distinguishes those from other small
 * numbers.
 */
const HANDFUL = /^\d+ keywright:messaging:(events|tenants)\b/

/** Every two places that hold ids of one thing. */
function idPairs(keyspace: Keyspace): string[] {
  const byId = new Map<string, string[]>()
  for (const [place, id] of idPlaces(keyspace)) {
    if (!HANDFUL.test(place)) byId.set(id, [...(byId.get(id) ?? []), place])
  }
  return [...byId.values()].flatMap((places) =>
    places.sort().flatMap((one, i) => places.slice(i + 1).map((other) => `${one} = ${other}`)),
  )
}

interface RelationLike {
  readonly one?: string
  readonly many?: string
  readonly from?: string
  readonly by?: string
  readonly through?: string
}

const patternIn =
  ({ keys }: Keyspace) =>
  (name: string): string => {
    const key = keys.find((one) => one.name === name)
    return key === undefined ? name : shapeOfKey(key)
  }

/** Relations by the patterns of their two sides and the way between them. */
function relations(keyspace: Keyspace): string[] {
  const pattern = patternIn(keyspace)
  const declared = (keyspace.relations ?? {}) as Record<string, Record<string, RelationLike>>
  return Object.entries(declared).flatMap(([entity, own]) =>
    Object.values(own).flatMap(({ one, many, from, by, through }) => {
      const way = from ?? (through === undefined ? by && `the index ${by}` : pattern(through))
      return way === undefined ? [] : [`${pattern(entity)} → ${pattern((one ?? many)!)} by ${way}`]
    }),
  )
}

/** What is said of plain keys; which of two sides is the truth is a decision, not a fact. */
function invariants(keyspace: Keyspace): string[] {
  const pattern = patternIn(keyspace)
  const named = (where: string | { readonly key: string }) => pattern(typeof where === "string" ? where : where.key)
  return keyspace.invariants.flatMap((rule) => {
    // What is allowed, and never happened so far, cannot be seen in the data.
    if (rule.kind === "exclusive" || rule.kind === "compare") return []
    // Whose key it is follows from the ids in it: infer names them, and proposes no rule for whole keys.
    if (rule.kind === "reference" && isOwner(keyspace, rule.from, rule.id)) return []
    if (rule.kind !== "reference") return [`${rule.kind}: ${rule.keys.map(pattern).sort().join(" and ")}`]
    return [rule.to].flat().map((to) => `${named(rule.from)} refers to ${named(to)}`)
  })
}

/** The id is in the key itself, and not in its value. */
function isOwner({ keys }: Keyspace, from: string | { readonly key: string }, id: string): boolean {
  const key = keys.find(({ name }) => name === (typeof from === "string" ? from : from.key))!
  return !Object.values(key.shape as Record<string, { id?: string }>).some((codec) => codec.id === id)
}

/** Mirrors are indexes too: which of them is read is a decision. */
function indexes({ keys }: Keyspace): string[] {
  return keys.flatMap((key) => {
    const { entity, kind } = key
    if (entity === undefined) return []
    const role = entity.role === "mirror" || entity.role === "unique" ? "index" : entity.role
    return [`${role} ${shapeOfKey(key)} of ${entity.name} as ${kind}`]
  })
}

/** Classes by rule: a deadline that a write or a read moves may look like one that nothing moves. */
const ttlOf = ({ ttl }: Key): string => {
  if (ttl === undefined || ttl.on === "never") return "none"
  return ttl.on === "choice" ? "mixed" : `within ${ttl.ms} ms`
}

/** `hidden`: patterns that have no keys at rest. */
export function compare(declared: Keyspace, found: Keyspace, hidden: readonly string[]): Scores {
  const isThere = ({ pattern }: Key) => !hidden.includes(pattern)
  const keys = declared.keys.filter(isThere)
  const ofTypes = (all: readonly Key[]) => all.map((key) => `${shapeOfKey(key)} ${redisTypeOf(key)}`)
  const ofTtls = (all: readonly Key[]) => all.map((key) => `${shapeOfKey(key)} ${ttlOf(key)}`)
  const references = (keyspace: Keyspace) => [...idPairs(keyspace), ...relations(keyspace), ...invariants(keyspace)]
  return {
    patterns: score(ofTypes(keys), ofTypes(found.keys)),
    ttls: score(ofTtls(keys), ofTtls(found.keys)),
    references: score(references({ ...declared, keys }), references(found)),
    indexes: score(indexes({ ...declared, keys }), indexes(found)),
  }
}

export const together = (scores: readonly Score[]): Score => {
  const all = (of: "missed" | "invented") => scores.flatMap((one) => one[of])
  const right = scores.reduce((sum, one) => sum + one.right, 0)
  return rated(right, all("missed"), all("invented"))
}

function score(declared: readonly string[], found: readonly string[]): Score {
  const [one, other] = [new Set(declared), new Set(found)]
  const missed = [...one].filter((text) => !other.has(text))
  return rated(
    one.size - missed.length,
    missed,
    [...other].filter((text) => !one.has(text)),
  )
}

function rated(right: number, missed: readonly string[], invented: readonly string[]): Score {
  const [declared, found] = [right + missed.length, right + invented.length]
  const share = (of: number) => (of === 0 ? 1 : right / of)
  const [precision, recall] = [share(found), share(declared)]
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  return { declared, found, right, precision, recall, f1, missed, invented }
}
