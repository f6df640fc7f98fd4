import { values as enough } from "../thresholds.ts"
import type { Values } from "./values.ts"

/** Whether collections pile up at one length, so that somebody may trim them. */
export function pilesUp(type: string, { values, count }: { readonly values: Values; readonly count: number }): boolean {
  const { read, cut, largest, full, nearlyFull } = values
  const isKnown = (type === "list" || type === "zset") && cut === 0 && read === count
  return isKnown && largest >= enough.leastPile && full >= enough.leastPiled && full >= 3 * nearlyFull && full < read
}
