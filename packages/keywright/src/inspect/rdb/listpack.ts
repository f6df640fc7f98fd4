/* A listpack: total bytes (4), number of elements (2, 65535 = not known), the
 * elements, 0xff. An element is its encoding, its bytes, and its own length
 * again (one to five bytes, for walking backwards). */

import type { Sink } from "./sink.ts"

const HEADER = 6
const UNKNOWN = 0xffff

/** The number of elements that the header states, NaN if it does not. Needs the first 6 bytes. */
export function countListpack(bytes: Uint8Array, start: number): number {
  const count = bytes[start + 4]! | (bytes[start + 5]! << 8)
  return count === UNKNOWN ? NaN : count
}

/** Hands every element to the sink. */
export function unpackListpack(bytes: Buffer, sink: Sink): void {
  const end = bytes.length - 1
  if (end < HEADER || bytes.readUInt32LE(0) !== bytes.length || bytes[end] !== 0xff) {
    throw sink.corrupt("a listpack with a wrong length or end")
  }
  let at = HEADER
  let count = 0
  for (; at < end; count++) {
    const size = elementSize(bytes, at)
    const next = at + size + backLengthSize(size)
    if (size === 0 || next > end) throw sink.corrupt(`a listpack whose element ${count} does not fit`)
    sink.checkPacked(count)
    putElement(bytes, at, size, sink)
    at = next
  }
  const stated = countListpack(bytes, 0)
  if (stated === stated && stated !== count) throw sink.corrupt(`a listpack of ${count} elements that states ${stated}`)
}

/* Bytes of the encoding and the content; 0 for an encoding that does not exist. */
function elementSize(bytes: Buffer, at: number): number {
  const first = bytes[at]!
  if (first < 0x80) return 1
  if (first < 0xc0) return 1 + (first & 0x3f)
  if (first < 0xe0) return 2
  if (first < 0xf0) return 2 + (((first & 0x0f) << 8) | (bytes[at + 1] ?? 0))
  if (first === 0xf0) return at + 5 <= bytes.length ? 5 + bytes.readUInt32LE(at + 1) : 0
  if (first === 0xf4) return 9
  return first < 0xf4 ? first - 0xf1 + 3 : 0
}

function backLengthSize(size: number): number {
  if (size <= 127) return 1
  if (size < 16383) return 2
  if (size < 2097151) return 3
  return size < 268435455 ? 4 : 5
}

function putElement(bytes: Buffer, at: number, size: number, sink: Sink): void {
  const first = bytes[at]!
  if (first < 0x80) sink.put(first)
  else if (first < 0xc0) sink.putSlice(bytes, at + 1, at + size)
  else if (first < 0xe0) sink.put(((first << 27) >> 19) | bytes[at + 1]! | 0)
  else if (first < 0xf0) sink.putSlice(bytes, at + 2, at + size)
  else if (first === 0xf0) sink.putSlice(bytes, at + 5, at + size)
  else if (first === 0xf1) sink.put(bytes.readInt16LE(at + 1))
  else if (first === 0xf2) sink.put(bytes.readIntLE(at + 1, 3))
  else if (first === 0xf3) sink.put(bytes.readInt32LE(at + 1))
  else sink.putInt64(bytes, at + 1)
}
