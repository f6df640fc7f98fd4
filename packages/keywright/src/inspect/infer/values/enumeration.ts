import type { TextStatistics } from "./text-statistics.ts"
import { values as limits } from "../thresholds.ts"

/** Values that are few, short and come again and again. */
export function isEnumeration(texts: TextStatistics, most: number = limits.mostOfEnumeration): boolean {
  const { values, count } = texts
  if (
    values === undefined ||
    values.size < 2 ||
    values.size > most ||
    count < Math.max(limits.leastOfEnumeration, limits.timesEach * values.size)
  )
    return false
  return texts.only("word", "mixed", "slug") && [...values].every(([value, seen]) => value.length <= 32 && seen >= 2)
}
