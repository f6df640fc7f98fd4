/* Many whole numbers as a few bytes: a MessagePack array, which a script of Redis
 * takes apart in one call, `cmsgpack.unpack(ARGV[1])`. An argument each would cost
 * the server more than what is done with it. */

import { codecRefused } from "../../errors/codec.ts"
import { codec, type Codec } from "./codec.ts"

const TWO_32 = 2 ** 32
/** The bytes of a number at most: a word that says what follows, and 64 bits. */
const LONGEST = 9

/**
 * Whole numbers up to 2^53 − 1 either way, packed: for steps that take thousands of them. −0 is kept as 0.
 * @example
 * const ids = packedInts.encode([1, 2, 300])
 * console.log(packedInts.decodeBytes?.(ids)) // → [ 1, 2, 300 ]
 */
export const packedInts: Codec<number[], readonly number[], Uint8Array> = codec({
  name: "ints (MessagePack)",
  spec: { codec: "packedInts" },
  example: "\u0092\u0001\u0002",
  encode(values) {
    if (!Array.isArray(values)) throw codecRefused("PACKED", "an array of whole numbers", values)
    const numbers = values as readonly number[]
    const bytes = Buffer.allocUnsafe(5 + numbers.length * LONGEST)
    bytes[0] = 0xdd
    let at = bytes.writeUInt32BE(numbers.length, 1)
    for (const value of numbers) {
      if (!Number.isSafeInteger(value)) throw codecRefused("PACKED", "a whole number up to 2^53 - 1", value)
      at = write(bytes, at, value)
    }
    return bytes.subarray(0, at)
  },
  decode: (raw) => unpack(Buffer.from(raw, "latin1")),
  decodeBytes: (raw) => unpack(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)),
})

function write(bytes: Buffer, at: number, value: number): number {
  if (value >= 0 && value < 128) return bytes.writeUInt8(value, at)
  if (value < 0 && value >= -32) return bytes.writeInt8(value, at)
  if (value >= 0 && value < TWO_32) {
    bytes[at] = 0xce
    return bytes.writeUInt32BE(value, at + 1)
  }
  bytes[at] = 0xd3
  return bytes.writeUInt32BE(value - high(value) * TWO_32, bytes.writeInt32BE(high(value), at + 1))
}

const high = (value: number): number => Math.floor(value / TWO_32)

/** How long an integer of each kind is, and how it is read; all writers of MessagePack use one of these. */
const kinds: Readonly<Record<number, readonly [length: number, read: (bytes: Buffer, at: number) => number]>> = {
  0xcc: [1, (bytes, at) => bytes.readUInt8(at)],
  0xcd: [2, (bytes, at) => bytes.readUInt16BE(at)],
  0xce: [4, (bytes, at) => bytes.readUInt32BE(at)],
  0xcf: [8, (bytes, at) => bytes.readUInt32BE(at) * TWO_32 + bytes.readUInt32BE(at + 4)],
  0xd0: [1, (bytes, at) => bytes.readInt8(at)],
  0xd1: [2, (bytes, at) => bytes.readInt16BE(at)],
  0xd2: [4, (bytes, at) => bytes.readInt32BE(at)],
  0xd3: [8, (bytes, at) => bytes.readInt32BE(at) * TWO_32 + bytes.readUInt32BE(at + 4)],
}

function unpack(bytes: Buffer): number[] {
  const refused = () => codecRefused("PACKED", "a MessagePack array of whole numbers", bytes)
  const head = bytes[0] ?? 0
  const [length, start] =
    head === 0xdd && bytes.length >= 5
      ? [bytes.readUInt32BE(1), 5]
      : head === 0xdc && bytes.length >= 3
        ? [bytes.readUInt16BE(1), 3]
        : head >> 4 === 9
          ? [head & 15, 1]
          : [-1, 0]
  if (length < 0 || length > bytes.length) throw refused()
  const values: number[] = []
  let at = start
  for (let i = 0; i < length; i++) {
    const word = bytes[at++]
    if (word === undefined) throw refused()
    if (word < 0x80 || word >= 0xe0) {
      values.push(word < 0x80 ? word : word - 256)
      continue
    }
    const [size, read] = kinds[word] ?? [0, undefined]
    if (read === undefined || at + size > bytes.length) throw refused()
    const value = read(bytes, at)
    if (!Number.isSafeInteger(value)) throw refused()
    values.push(value)
    at += size
  }
  if (at !== bytes.length) throw refused()
  return values
}
