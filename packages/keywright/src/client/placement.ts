/* What a schema needs of a cluster, decided when a client connects and not by the first
 * unlucky call. */

import { placementSplit, placementUnknown } from "../errors/placement.ts"
import { type Atomicity, clusterAtomicity } from "../schema/cluster-atomicity.ts"
import type { Keyspace } from "../schema/keyspace.ts"

/** What is not in one slot and was not accepted by its name. */
export function splitParts(keyspace: Keyspace, accepted: readonly string[] = []): readonly Atomicity[] {
  const all = clusterAtomicity(keyspace)
  const unknown = accepted.find((name) => !all.some((one) => one.name === name))
  if (unknown !== undefined)
    throw placementUnknown(
      unknown,
      all.map(({ name }) => name),
    )
  return all.filter(({ atomic, name }) => !atomic && !accepted.includes(name))
}

/** Why this schema cannot be used on a cluster; undefined when it can. */
export function placementRefusal(keyspace: Keyspace, accepted: readonly string[] | undefined, where: string) {
  const split = splitParts(keyspace, accepted)
  return split.length === 0 ? undefined : placementSplit(split, where)
}
