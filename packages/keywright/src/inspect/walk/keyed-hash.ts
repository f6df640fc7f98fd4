/* Hashes that stand for texts: 64 bits, by a key that is new in each process, so that nobody can prepare two texts with
 * the same one. This is HalfSipHash-1-3 over UTF-16 code units. */

import { getRandomValues } from "node:crypto"

const [KEY, OTHER_KEY] = getRandomValues(new Int32Array(2)) as unknown as readonly [number, number]

/** Writes the two halves of the hash of a text. */
export function hashInto(to: Uint32Array, at: number, text: string): void {
  let a = KEY
  let b = OTHER_KEY ^ 0xee
  let c = KEY ^ 0x6c796765
  let d = OTHER_KEY ^ 0x74656462
  const even = text.length & ~1
  // Two code units a round, the last one with the length; then three rounds for each half.
  for (let i = 0; i <= even + 12; i += 2) {
    let word = 0
    if (i < even) word = text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16)
    else if (i === even) word = (even < text.length ? text.charCodeAt(even) : 0) | (text.length << 16)
    else if (i === even + 2) c ^= 0xee
    else if (i === even + 8) {
      to[at] = b ^ d
      b ^= 0xdd
    }
    d ^= word
    a = (a + b) | 0
    b = ((b << 5) | (b >>> 27)) ^ a
    a = (a << 16) | (a >>> 16)
    c = (c + d) | 0
    d = ((d << 8) | (d >>> 24)) ^ c
    a = (a + d) | 0
    d = ((d << 7) | (d >>> 25)) ^ a
    c = (c + b) | 0
    b = ((b << 13) | (b >>> 19)) ^ c
    c = (c << 16) | (c >>> 16)
    a ^= word
  }
  to[at + 1] = b ^ d
}
