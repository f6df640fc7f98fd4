/** Up to here, a counter gives ids: a number in a script, as in a program, is exact up to 2^53, and one call takes many. */
export const HIGHEST_COUNTER = 9_007_199_254_740_000
/** Up to here, an import sets a counter: some billions of ids are left then, and no file leaves the next one as the last. */
export const HIGHEST_IMPORTED = HIGHEST_COUNTER - 2 ** 32
