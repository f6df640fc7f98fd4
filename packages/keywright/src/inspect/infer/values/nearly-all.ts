import { values as limits } from "../thresholds.ts"

/** All, or all but a stray one among very many: that one is damage, and the others show what was intended. */
export const isNearlyAll = (seen: number, count: number): boolean =>
  count > 0 &&
  (seen === count || (count >= limits.leastBesideDamage && count - seen <= Math.max(1, limits.mostDamaged * count)))
