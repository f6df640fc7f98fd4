/* What JSON can hold, as MessagePack: each value in its shortest form, numbers without a fraction as
 * integers, all others as 64-bit floats. */

import { codecRefused } from "../../errors/codec.ts"
import { DEEPEST } from "./message-pack-read.ts"

const TWO_32 = 2 ** 32

/** `document`: what `JSON.parse` returns. */
export function writeMessagePack(document: unknown): Uint8Array {
  const parts: Buffer[] = []
  write(document, parts, 0)
  return Buffer.concat(parts)
}

function write(value: unknown, parts: Buffer[], depth: number): void {
  if (depth > DEEPEST) throw codecRefused("MESSAGE_PACK", `at most ${DEEPEST} levels`, "more")
  if (value === null) parts.push(Buffer.of(0xc0))
  else if (typeof value === "boolean") parts.push(Buffer.of(value ? 0xc3 : 0xc2))
  else if (typeof value === "number") parts.push(numberOf(value))
  else if (typeof value === "string") writeText(value, parts)
  else if (Array.isArray(value)) {
    parts.push(head(value.length, 0x90, 16, [0, 0xdc, 0xdd]))
    for (const item of value) write(item, parts, depth + 1)
  } else {
    const fields = Object.entries(value as object)
    parts.push(head(fields.length, 0x80, 16, [0, 0xde, 0xdf]))
    for (const [name, field] of fields) {
      writeText(name, parts)
      write(field, parts, depth + 1)
    }
  }
}

function writeText(text: string, parts: Buffer[]): void {
  if (!text.isWellFormed()) throw codecRefused("MESSAGE_PACK", "well-formed text", text)
  const bytes = Buffer.from(text)
  parts.push(head(bytes.length, 0xa0, 32, [0xd9, 0xda, 0xdb]), bytes)
}

/** A length: in the first byte if it is small, else after the word for one, two or four bytes (0: there is none). */
function head(length: number, small: number, limit: number, [one, two, four]: readonly [number, number, number]) {
  if (length < limit) return Buffer.of(small | length)
  if (one !== 0 && length < 256) return Buffer.of(one, length)
  return length < 65_536 ? Buffer.of(two, length >> 8, length & 255) : wide(four, length)
}

function wide(word: number, value: number): Buffer {
  const bytes = Buffer.alloc(5)
  bytes[0] = word
  bytes.writeUInt32BE(value, 1)
  return bytes
}

function numberOf(value: number): Buffer {
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
    const bytes = Buffer.alloc(9)
    bytes[0] = 0xcb
    bytes.writeDoubleBE(value, 1)
    return bytes
  }
  if (value >= -32 && value < 128) return Buffer.of(value & 255)
  if (value >= 0 && value < 256) return Buffer.of(0xcc, value)
  if (value >= 0 && value < 65_536) return Buffer.of(0xcd, value >> 8, value & 255)
  if (value >= 0 && value < TWO_32) return wide(0xce, value)
  const bytes = Buffer.alloc(9)
  bytes[0] = value < 0 ? 0xd3 : 0xcf
  bytes.writeBigInt64BE(BigInt(value), 1)
  return bytes
}
