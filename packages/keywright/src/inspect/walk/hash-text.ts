/* Hashes of texts: FNV-1a over UTF-16 code units. Not cryptographic: texts with the
 * same hash are easily made; those of keyed-hash.ts may stand for texts. A key need not be
 * put together to be hashed: its parts are fed one after the other. */

export const SEED = 0x811c9dc5

const FACTOR = 0x01000193

/** The state after one more text. */
export function feed(text: string, state: number): number {
  let hash = state
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FACTOR)
  return hash
}

/** 32 bits from a state. FNV leaves the low bits of short texts alike: they are spread. */
export function finish(state: number): number {
  const hash = Math.imul(state ^ (state >>> 16), 0x45d9f3b)
  return (hash ^ (hash >>> 15)) >>> 0
}

export const hashText = (text: string, seed = SEED): number => finish(feed(text, seed))
