/* A ziplist, the listpack's predecessor (until Redis 7.0): total bytes (4),
 * offset of the last entry (4), number of entries (2, 65535 = not known), the
 * entries, 0xff. An entry is the length of the one before it (1 byte, or 0xfe
 * and 4), an encoding, and its bytes. */

import type { Sink } from "./sink.ts"

const HEADER = 10
const UNKNOWN = 0xffff

/** The number of entries that the header states, NaN if it does not. Needs the first 10 bytes. */
export function countZiplist(bytes: Uint8Array, start: number): number {
  const count = bytes[start + 8]! | (bytes[start + 9]! << 8)
  return count === UNKNOWN ? NaN : count
}

/** Hands every entry to the sink. */
export function unpackZiplist(bytes: Buffer, sink: Sink): void {
  const end = bytes.length - 1
  if (end < HEADER || bytes.readUInt32LE(0) !== bytes.length || bytes[end] !== 0xff) {
    throw sink.corrupt("a ziplist with a wrong length or end")
  }
  let at = HEADER
  let count = 0
  for (; at < end; count++) {
    const start = at + (bytes[at] === 0xfe ? 5 : 1)
    const size = bytes[at] !== 0xff && start < end ? entrySize(bytes, start) : 0
    if (size === 0 || start + size > end) throw sink.corrupt(`a ziplist whose entry ${count} does not fit`)
    sink.checkPacked(count)
    putEntry(bytes, start, size, sink)
    at = start + size
  }
  const stated = countZiplist(bytes, 0)
  if (stated === stated && stated !== count) throw sink.corrupt(`a ziplist of ${count} entries that states ${stated}`)
}

/* Bytes of the encoding and the content; 0 for an encoding that does not exist. */
function entrySize(bytes: Buffer, at: number): number {
  const first = bytes[at]!
  if (first < 0x40) return 1 + first
  if (first < 0x80) return 2 + (((first & 0x3f) << 8) | bytes[at + 1]!)
  if (first === 0x80) return at + 5 <= bytes.length ? 5 + bytes.readUInt32BE(at + 1) : 0
  if (first === 0xc0) return 3
  if (first === 0xd0) return 5
  if (first === 0xe0) return 9
  if (first === 0xf0) return 4
  if (first === 0xfe) return 2
  return first > 0xf0 && first < 0xfe ? 1 : 0
}

function putEntry(bytes: Buffer, at: number, size: number, sink: Sink): void {
  const first = bytes[at]!
  if (first < 0x40) sink.putSlice(bytes, at + 1, at + size)
  else if (first < 0x80) sink.putSlice(bytes, at + 2, at + size)
  else if (first === 0x80) sink.putSlice(bytes, at + 5, at + size)
  else if (first === 0xc0) sink.put(bytes.readInt16LE(at + 1))
  else if (first === 0xd0) sink.put(bytes.readInt32LE(at + 1))
  else if (first === 0xe0) sink.putInt64(bytes, at + 1)
  else if (first === 0xf0) sink.put(bytes.readIntLE(at + 1, 3))
  else if (first === 0xfe) sink.put(bytes.readInt8(at + 1))
  else sink.put((first & 0x0f) - 1)
}
