/** Sums of decimals are not exact. */
export const isOff = (one: number, other: number): boolean => Math.abs(one - other) > 0.005
