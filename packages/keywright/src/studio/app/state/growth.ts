/* How keys and memory grow while somebody watches: what the studio's server has seen
 * since it began, and every pulse since. */

import { signal } from "@preact/signals"
import type { HistoryPoint, Pulse } from "../../api.ts"

const MOST = 900

/** Points since the page was opened, by system. */
export const recent = signal<Readonly<Record<string, readonly HistoryPoint[]>>>({})

export function notePulse({ system, at, up, usedMemory, databases }: Pulse): void {
  if (!up) return
  const keys = databases.reduce((sum, one) => sum + one.keys, 0)
  const points = [...(recent.value[system] ?? []), { at, usedMemory, keys }]
  recent.value = { ...recent.value, [system]: points.slice(-MOST) }
}

/** Both, in order, without doubles. */
export function growthOf(history: readonly HistoryPoint[], since: readonly HistoryPoint[]): HistoryPoint[] {
  const last = history.at(-1)?.at ?? ""
  return [...history, ...since.filter(({ at }) => at > last)]
}
