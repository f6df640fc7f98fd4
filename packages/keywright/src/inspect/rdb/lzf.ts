/* LZF, the compression of strings in RDB files. A control byte below 32 is
 * followed by that many bytes plus one, to be copied; any other one points back
 * into what was already written: the upper three bits are the length (7 means
 * that one more byte adds to it), the rest and the next byte the distance. */

/* A back reference of three bytes yields at most 264, so a longer claim is
 * false, and is refused before any memory is taken for it. */
const MOST_PER_BYTE = 88

/** Could `compressed` bytes really expand to `plain` bytes? */
export function isPlausibleLzf(compressed: number, plain: number): boolean {
  return compressed > 0 && plain > 0 && plain <= compressed * MOST_PER_BYTE
}

/** Expands `source[start, end)` into `target` until either is used up. Returns the bytes written, -1 for bad input. */
export function expandLzf(source: Uint8Array, start: number, end: number, target: Uint8Array): number {
  const room = target.length
  let from = start
  let to = 0
  while (from < end && to < room) {
    const control = source[from++]!
    if (control < 32) {
      const stop = from + control + 1
      if (stop > end) return -1
      while (from < stop && to < room) target[to++] = source[from++]!
      continue
    }
    let length = (control >> 5) + 2
    if (length === 9) length += source[from++] ?? 0
    if (from >= end) return -1
    let back = to - ((control & 31) << 8) - source[from++]! - 1
    if (back < 0) return -1
    const stop = Math.min(to + length, room)
    while (to < stop) target[to++] = target[back++]!
  }
  return to
}

/** Expands a whole string; `undefined` when the input is not LZF or not of the stated length. */
export function decompressLzf(source: Uint8Array, start: number, end: number, plain: number): Buffer | undefined {
  if (!isPlausibleLzf(end - start, plain)) return undefined
  const target = Buffer.allocUnsafe(plain)
  return expandLzf(source, start, end, target) === plain ? target : undefined
}
