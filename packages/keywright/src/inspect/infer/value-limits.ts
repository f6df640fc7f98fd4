/* How much of a value infer looks at: the same of a server and of a file, so that both lead to one proposal. */

/** Bytes of a string that are looked at in any case. */
export const STRING_BYTES = 16_384
/** Longer strings are read whole up to this, but only the first `MOST_LARGE` of them. */
export const LARGE_BYTES = 1 << 20
export const MOST_LARGE = 100
/** Elements of a collection that a file yields: at least as many as a server is asked for. */
export const MOST_ELEMENTS = 400

/** Elements of an answer to a question about a key. */
export const MOST_PROBED = 200
