/* The keys that an invariant of the schema speaks of. */

import type { Keyspace } from "../../../schema/keyspace.ts"

const known = new WeakMap<Keyspace, ReadonlySet<string>>()

/** By their names in the schema. */
export function ruledKeys(keyspace: Keyspace): ReadonlySet<string> {
  let names = known.get(keyspace)
  if (names === undefined) {
    const all = new Set(keyspace.keys.map(({ name }) => name))
    known.set(keyspace, (names = new Set(textsIn(keyspace.invariants).filter((text) => all.has(text)))))
  }
  return names
}

/** Whatever kind of rule it is, it refers to keys by their names. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value]
  if (typeof value !== "object" || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
