/* A zipmap, how Redis 2.4 and older kept small hashes: number of pairs (1, from
 * 254 on not known), then field and value each with its length (1 byte, or 0xfe
 * and 4), the value's followed by a count of unused bytes behind it; 0xff ends. */

import type { Sink } from "./sink.ts"

/** Twice the number of pairs that the header states, NaN if it does not. Needs the first byte. */
export function countZipmap(bytes: Uint8Array, start: number): number {
  const count = bytes[start]!
  return count < 254 ? 2 * count : NaN
}

/** Hands every field and value, in turn, to the sink. */
export function unpackZipmap(bytes: Buffer, sink: Sink): void {
  const end = bytes.length - 1
  if (end < 1 || bytes[end] !== 0xff) throw sink.corrupt("a zipmap without an end")
  let at = 1
  let isValue = false
  let count = 0
  for (; at < end; isValue = !isValue) {
    const wide = bytes[at]! >= 254
    if (wide && at + 5 > end) throw sink.corrupt("a zipmap whose length does not fit")
    const length = wide ? bytes.readUInt32LE(at + 1) : bytes[at]!
    const lengthEnd = at + (wide ? 5 : 1)
    const start = lengthEnd + (isValue ? 1 : 0)
    const unused = isValue ? bytes[lengthEnd]! : 0
    if (start + length + unused > end) throw sink.corrupt("a zipmap whose element does not fit")
    sink.checkPacked(count++)
    sink.putSlice(bytes, start, start + length)
    at = start + length + unused
  }
  if (isValue) throw sink.corrupt("a zipmap with a field but no value")
}
