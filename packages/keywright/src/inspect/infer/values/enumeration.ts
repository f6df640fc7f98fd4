/* Values that are few and come again and again, and which of them are closed: no other will come. */

import type { TextStatistics } from "./text-statistics.ts"
import { values as limits } from "../thresholds.ts"

/** Few, short and again and again: worth mentioning. */
export const comesAgain = (texts: TextStatistics): boolean => isFew(texts, limits.leastRepeated, limits.timesEach)

/** Few different texts in many values: another one would be a surprise. */
export const isEnumeration = (texts: TextStatistics): boolean =>
  isFew(texts, limits.leastOfEnumeration, limits.timesEachOfEnumeration)

function isFew(texts: TextStatistics, least: number, timesEach: number): boolean {
  const { values, count } = texts
  if (values === undefined || values.size < 2 || values.size > limits.mostOfEnumeration) return false
  if (count < Math.max(least, timesEach * values.size)) return false
  return texts.only("word", "mixed", "slug") && [...values].every(([value, seen]) => value.length <= 32 && seen >= 2)
}
