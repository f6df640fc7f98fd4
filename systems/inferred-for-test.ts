/* How much of a declared schema was found again: ids that stand in the same places,
 * relations and invariants, and the indexes of entities. */

import type { connect, Key, Keyspace } from "keywright"

export type Driver = ReturnType<Awaited<ReturnType<typeof connect>>["$driver"]>

interface Shown {
  readonly precision: number
  readonly recall: number
  readonly f1: number
  readonly missed: readonly string[]
  readonly invented: readonly string[]
}

/** `"cart:{token}"` → `"cart:{}"`: names of parameters are anybody's guess. */
export const skeleton = (pattern: string): string => pattern.replace(/\{\w+\}/g, "{}")

/** `fields` of a hash and parts of other values that hold named ids, and parameters. */
function idPlaces({ keys }: Keyspace): Map<string, string> {
  const found = new Map<string, string>()
  for (const key of keys) {
    const at = `${key.db} ${skeleton(key.pattern)}`
    Object.values(key.params).forEach((codec, i) => codec.id !== undefined && found.set(`${at} {${i}}`, codec.id))
    const { fields = {}, ...parts } = key.shape as { fields?: object }
    const named = (codecs: object) => Object.entries(codecs as Record<string, { id?: string }>)
    for (const [part, { id }] of named(parts)) if (id !== undefined) found.set(`${at} ${part}`, id)
    for (const [name, { id }] of named(fields)) if (id !== undefined) found.set(`${at} .${name}`, id)
  }
  return found
}

/** Every two places that hold ids of one thing, where both are known to hold ids of something or were found. */
function idPairs(keyspace: Keyspace, isSeen: (place: string) => boolean): Set<string> {
  const byId = new Map<string, string[]>()
  for (const [place, id] of idPlaces(keyspace)) if (isSeen(place)) byId.set(id, [...(byId.get(id) ?? []), place])
  const pairs = new Set<string>()
  for (const places of byId.values())
    places.sort().forEach((one, i) => {
      for (const other of places.slice(i + 1)) pairs.add(`${one} = ${other}`)
    })
  return pairs
}

interface RelationLike {
  readonly one?: string
  readonly many?: string
  readonly from?: string
  readonly by?: string
  readonly through?: string
}

/** Relations by the patterns of their two sides and the way between them. */
function relations({ relations: declared, keys }: Keyspace): Set<string> {
  const pattern = (name: string) => skeleton(keys.find((key) => key.name === name)?.pattern ?? name)
  const found = new Set<string>()
  for (const [entity, own] of Object.entries((declared ?? {}) as Record<string, Record<string, RelationLike>>))
    for (const { one, many, from, through } of Object.values(own))
      if (from !== undefined || through !== undefined)
        found.add(`${pattern(entity)} → ${pattern((one ?? many)!)} by ${from ?? pattern(through!)}`)
  return found
}

function indexes({ keys }: Keyspace): Set<string> {
  const roleOf = ({ entity }: Key) => (entity?.role === "mirror" ? "index" : entity?.role)
  return new Set(
    keys.flatMap((key) => {
      const role = roleOf(key)
      return role === undefined
        ? []
        : [`${role === "unique" ? "index" : role} ${skeleton(key.pattern)} of ${key.entity!.name}`]
    }),
  )
}

export function compare(declared: Keyspace, found: Keyspace): { references: Shown; indexes: Shown } {
  const patterns = new Set([...found.keys].map((key) => `${key.db} ${skeleton(key.pattern)}`))
  const known = new Set([...declared.keys].map((key) => `${key.db} ${skeleton(key.pattern)}`))
  const isSeen = (place: string) => {
    const pattern = place.slice(0, place.lastIndexOf(" "))
    return patterns.has(pattern) && known.has(pattern) && !pattern.includes(" keywright:")
  }
  const references = (keyspace: Keyspace) => new Set([...idPairs(keyspace, isSeen), ...relations(keyspace)])
  return {
    references: score(references(declared), references(found)),
    indexes: score(indexes(declared), indexes(found)),
  }
}

function score(declared: ReadonlySet<string>, found: ReadonlySet<string>): Shown {
  const missed = [...declared].filter((one) => !found.has(one))
  const invented = [...found].filter((one) => !declared.has(one))
  const right = declared.size - missed.length
  const precision = found.size === 0 ? 1 : right / found.size
  const recall = declared.size === 0 ? 1 : right / declared.size
  return {
    precision,
    recall,
    f1: right === 0 ? Number(declared.size === 0) : (2 * precision * recall) / (precision + recall),
    missed,
    invented,
  }
}
