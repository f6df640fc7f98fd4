/** The highest counter value that still yields ids: numbers are exact only up to 2^53, and one call takes many. */
export const HIGHEST_COUNTER = 9_007_199_254_740_000
/** The highest value that an import gives a counter: some billions of ids are left then. */
export const HIGHEST_IMPORTED = HIGHEST_COUNTER - 2 ** 32
