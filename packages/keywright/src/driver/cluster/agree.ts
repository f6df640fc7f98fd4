/* Merges several nodes' views of the slots: the owner of each slot is the one that most nodes name.
 *
 * A node that was paused or cut off continues to name itself, so no single view is trusted
 * where there are others. In a tie, an unreachable owner loses; otherwise the known owner
 * is kept. */

import { SLOTS } from "../cluster-slot.ts"
import type { SlotView } from "./slot-view.ts"

export function agree(
  views: readonly SlotView[],
  known: (slot: number) => string | undefined,
  isAway: (id: string) => boolean,
): readonly (string | undefined)[] {
  const columns = views.map(ownersIn)
  return Array.from({ length: SLOTS }, (_, slot) => {
    const first = columns[0]?.[slot]
    if (columns.every((column) => column[slot] === first)) return first
    return chosen(
      columns.map((column) => column[slot]),
      known(slot),
      isAway,
    )
  })
}

function ownersIn(view: SlotView): (string | undefined)[] {
  const owners = Array.from<string | undefined>({ length: SLOTS })
  for (const { from, to, primary } of view) owners.fill(primary.id, from, to + 1)
  return owners
}

function chosen(
  named: readonly (string | undefined)[],
  known: string | undefined,
  isAway: (id: string) => boolean,
): string | undefined {
  const votes = new Map<string | undefined, number>()
  for (const id of named) votes.set(id, (votes.get(id) ?? 0) + 1)
  const most = Math.max(...votes.values())
  const leading = [...votes].flatMap(([id, count]) => (count === most ? [id] : []))
  if (leading.length === 1) return leading[0]
  const there = leading.filter((id) => id !== undefined && !isAway(id))
  return there.includes(known) ? known : (there[0] ?? leading.find((id) => id !== undefined))
}
