/* How many replicas have a write before it counts: of an entity, and of a drain. */

import type { Durability } from "../../schema/entity.ts"
import type { FoundChange } from "./change.ts"

interface Durable {
  readonly durability?: Durability | undefined
}

export function durabilityChanges(was: Durable, is: Durable, path: string): FoundChange[] {
  if (replicasOf(was) === replicasOf(is)) return []
  const isLower = replicasOf(is) < replicasOf(was)
  const what = `${replicasOf(was)} → ${replicasOf(is)} replicas`
  return [{ code: isLower ? "DURABILITY.LOWERED" : "DURABILITY.RAISED", path, what }]
}

const replicasOf = ({ durability = "fast" }: Durable): number => (durability === "fast" ? 0 : durability.replicas)
