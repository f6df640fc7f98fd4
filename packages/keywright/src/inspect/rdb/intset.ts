/* An intset: bytes per integer (4: 2, 4 or 8), number of integers (4), and the
 * integers in ascending order, all little-endian. */

import type { Sink } from "./sink.ts"

const HEADER = 8

/** The number of integers that the header states. Needs the first 8 bytes. */
export function countIntset(bytes: Uint8Array, start: number): number {
  return (bytes[start + 4]! | (bytes[start + 5]! << 8) | (bytes[start + 6]! << 16) | (bytes[start + 7]! << 24)) >>> 0
}

/** Hands every integer to the sink. */
export function unpackIntset(bytes: Buffer, sink: Sink): void {
  const width = bytes.length < HEADER ? 0 : bytes.readUInt32LE(0)
  if (width !== 2 && width !== 4 && width !== 8) throw sink.corrupt(`an intset of ${width}-byte integers`)
  if (bytes.length !== HEADER + width * countIntset(bytes, 0)) throw sink.corrupt("an intset with a wrong length")
  sink.checkPacked(countIntset(bytes, 0) - 1)
  for (let at = HEADER; at < bytes.length; at += width) {
    if (width === 8) sink.putInt64(bytes, at)
    else sink.put(width === 2 ? bytes.readInt16LE(at) : bytes.readInt32LE(at))
  }
}
