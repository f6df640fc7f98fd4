/* What stays atomic in a Redis Cluster. A script or a MULTI works in one slot, and a slot
 * is chosen by the hash tag of a key, {…}: so keys that change together need the same
 * tag, made of the same parameter. This works that out from a schema, without a server. */

import type { Key } from "./key.ts"
import type { Keyspace } from "./keyspace.ts"
import { relationRows } from "./entity-relations.ts"
import { parsePattern } from "./pattern.ts"

/**
 * What `clusterAtomicity` says of one entity or family.
 * @example
 * const apart: Atomicity[] = clusterAtomicity(shop).filter(({ atomic }) => !atomic)
 */
export interface Atomicity {
  /** An entity or a family, by its path. */
  readonly name: string
  readonly kind: "entity" | "family"
  /** All of it can be changed as one, in a cluster too. */
  readonly atomic: boolean
  /** The parameter in braces that all its keys share. */
  readonly tag?: string
  /** Two of its patterns that can be in different slots. */
  readonly apart?: readonly [string, string]
  /** Operations that a cluster refuses (CLUSTER.CROSS_SLOT): reading always works. */
  readonly refused: readonly string[]
}

/**
 * Which entities and families of a keyspace a cluster can change as one, and what it refuses for the others.
 * @example
 * for (const { name, atomic, refused } of clusterAtomicity(shop)) if (!atomic) console.log(name, refused)
 */
export function clusterAtomicity(keyspace: Keyspace): readonly Atomicity[] {
  const { keys } = keyspace
  const sets = relationRows(keyspace).flatMap((row) =>
    "set" in row.via ? [{ entity: row.entity, set: row.via.set }] : [],
  )
  const entities = grouped(keys, (key) => key.entity?.name).map(([name, own]) => {
    const owned = sets.filter((one) => one.entity === name).map((one) => keys.find((key) => key.name === one.set)!)
    return judged(name, "entity", [...own, ...owned], entityOperations)
  })
  const families = grouped(keys, (key) => key.family).map(([name, own]) =>
    judged(name, "family", own, () => ["load", "fill", "write", "delete"]),
  )
  return [...entities, ...families]
}

function judged(
  name: string,
  kind: Atomicity["kind"],
  keys: readonly Key[],
  operations: (keys: readonly Key[]) => string[],
): Atomicity {
  const [first, ...others] = keys.map((key) => key.pattern) as [string, ...string[]]
  const tag = hashTag(first)
  const other = others.find((pattern) => hashTag(pattern) !== tag || tag === undefined)
  if (other === undefined) return { name, kind, atomic: true, ...(tag !== undefined && { tag }), refused: [] }
  return { name, kind, atomic: false, apart: [first, other], refused: operations(keys) }
}

/** Whatever touches more than the record itself. */
function entityOperations(keys: readonly Key[]): string[] {
  const indexed = keys.some((key) => key.entity?.index !== undefined)
  return ["create", "delete", ...(indexed ? ["update of an indexed field"] : []), "transaction"]
}

/** `"{{tenant}}:user:{id}"` → `"tenant"`: the parameter in the first braces of the key. */
export function hashTag(pattern: string): string | undefined {
  const parts = parsePattern(pattern)
  const at = parts.findIndex((part) => typeof part === "string" && part.includes("{"))
  const [before, param, after] = [parts[at], parts[at + 1], parts[at + 2]]
  const isTag = typeof before === "string" && before.indexOf("{") === before.length - 1
  return isTag && typeof param === "object" && typeof after === "string" && after.startsWith("}")
    ? param.param
    : undefined
}

function grouped(keys: readonly Key[], by: (key: Key) => string | undefined): [string, Key[]][] {
  const groups = new Map<string, Key[]>()
  for (const key of keys) {
    const name = by(key)
    if (name !== undefined) groups.set(name, [...(groups.get(name) ?? []), key])
  }
  return [...groups]
}
