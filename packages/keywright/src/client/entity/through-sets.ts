/* Many-to-many relations: sets of ids, keyed by the id of their owner. They end with
 * their owner, in the same step; and an id that is deleted leaves all of them. */

import { relationRows } from "../../schema/entity-relations.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import type { RelationRow } from "../../schema/relation.ts"
import { onePer } from "../call/one-per.ts"
import type { ReadyKey } from "../call/ready-key.ts"

/** The relations of a keyspace, worked out once. */
export const relationsIn = onePer((keyspace: Keyspace): readonly RelationRow[] => relationRows(keyspace))

/** A set of a relation, and the parameter that is its owner's id. */
export interface ThroughSet {
  readonly set: ReadyKey
  readonly param: string
  /** The entity that owns it. */
  readonly owner: string
}

/** Sets that an entity owns, and sets that hold its ids. */
export interface ThroughSets {
  readonly owned: readonly ThroughSet[]
  readonly holding: readonly ThroughSet[]
}

export function throughSets(
  keyspace: Keyspace,
  ready: ReadonlyMap<string, ReadyKey>,
  entity: string,
  bound: Readonly<Record<string, unknown>>,
): ThroughSets {
  const rows = relationsIn(keyspace).filter((row) => "set" in row.via)
  const toSet = ({ via, entity: owner }: RelationRow): ThroughSet => {
    const set = ready.get((via as { set: string }).set)!
    return { set, owner, param: Object.keys(set.declared.params).find((name) => !(name in bound))! }
  }
  return {
    owned: rows.filter((row) => row.entity === entity).map(toSet),
    holding: rows.filter((row) => row.target === entity).map(toSet),
  }
}
