import { values as limits } from "../thresholds.ts"

/** All, or all but a stray one of very many: that is damage, and the others say how it is meant. */
export const isNearlyAll = (seen: number, count: number): boolean =>
  count > 0 &&
  (seen === count || (count >= limits.leastBesideDamage && count - seen <= Math.max(1, limits.mostDamaged * count)))
