/** Up to here, a counter gives ids: a number in a script, as in a program, is exact up to 2^53, and one call takes many. */
export const HIGHEST_COUNTER = 9_007_199_254_740_000
