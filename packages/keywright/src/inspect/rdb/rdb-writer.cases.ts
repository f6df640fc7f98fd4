/* A small writer of RDB files, for the versions and encodings that no server at
 * hand writes. It knows nothing of the reader. */

import { Crc64 } from "./crc64.ts"

export type Element = string | Buffer | number | bigint

const bytes = (value: string | Buffer): Buffer => (typeof value === "string" ? Buffer.from(value) : value)

function packed(size: number, write: (buffer: Buffer) => void): Buffer {
  const buffer = Buffer.alloc(size)
  write(buffer)
  return buffer
}

export const u8 = (...values: number[]): Buffer => Buffer.from(values)
const u16le = (value: number): Buffer => packed(2, (b) => b.writeUInt16LE(value))
export const u32le = (value: number): Buffer => packed(4, (b) => b.writeUInt32LE(value))
export const i64le = (value: number | bigint): Buffer => packed(8, (b) => b.writeBigInt64LE(BigInt(value)))
export const double = (value: number): Buffer => packed(8, (b) => b.writeDoubleLE(value))

export const joined = (...parts: Buffer[]): Buffer => Buffer.concat(parts)

/** A length, in the shortest form or in the one that is asked for. */
export function length(value: number | bigint, bits?: 6 | 14 | 32 | 64): Buffer {
  const form = bits ?? (value < 64 ? 6 : value < 16384 ? 14 : value < 2 ** 32 ? 32 : 64)
  if (form === 6) return u8(Number(value))
  if (form === 14) return u8(0x40 | (Number(value) >> 8), Number(value) & 255)
  if (form === 32) return Buffer.concat([u8(0x80), packed(4, (b) => b.writeUInt32BE(Number(value)))])
  return Buffer.concat([u8(0x81), packed(8, (b) => b.writeBigUInt64BE(BigInt(value)))])
}

export function string(value: string | Buffer): Buffer {
  return Buffer.concat([length(bytes(value).length), bytes(value)])
}

export const int8 = (value: number): Buffer => u8(0xc0, value & 255)
export const int16 = (value: number): Buffer => Buffer.concat([u8(0xc1), packed(2, (b) => b.writeInt16LE(value))])
export const int32 = (value: number): Buffer => Buffer.concat([u8(0xc2), packed(4, (b) => b.writeInt32LE(value))])

/* How often the byte before `at` is repeated there. */
function repeats(plain: Buffer, at: number): number {
  let end = at
  while (end - at < 264 && plain[end] === plain[at - 1]) end++
  return end - at
}

/** A string as LZF would hold it: literal runs, and repetitions of the byte before as back references. */
export function lzf(value: string | Buffer): Buffer {
  const plain = bytes(value)
  const out: number[] = []
  for (let at = 0; at < plain.length;) {
    const run = at === 0 ? 0 : repeats(plain, at)
    if (run >= 3) {
      if (run >= 9) out.push(7 << 5, run - 9, 0)
      else out.push((run - 2) << 5, 0)
      at += run
    } else {
      const end = Math.min(plain.length, at + 4)
      out.push(end - at - 1, ...plain.subarray(at, end))
      at = end
    }
  }
  return Buffer.concat([u8(0xc3), length(out.length), length(plain.length), Buffer.from(out)])
}

/** A short text and about this many of its last letter, compressed as far as LZF goes; nothing of that length is made. */
export function lzfRun(count: number, text = "a"): Buffer {
  const repeats = Math.ceil((count - 1) / 264)
  const out = Buffer.concat([u8(text.length - 1), bytes(text), Buffer.alloc(3 * repeats, u8(7 << 5, 255, 0))])
  return Buffer.concat([u8(0xc3), length(out.length), length(text.length + 264 * repeats), out])
}

/** A unit, repeated between a head and a tail, compressed as far as LZF goes; nothing of that length is made for it. */
function lzfRepeated(head: Buffer, unit: Buffer, count: number, tail: Buffer): Buffer {
  const out: Buffer[] = []
  const literal = (content: Buffer) => {
    for (let at = 0; at < content.length; at += 32) {
      const some = content.subarray(at, at + 32)
      out.push(u8(some.length - 1), some)
    }
  }
  literal(Buffer.concat([head, unit]))
  const back = unit.length - 1
  let left = unit.length * (count - 1)
  for (; left >= 9; left -= Math.min(264, left)) out.push(u8(7 << 5, Math.min(264, left) - 9, back))
  literal(Buffer.concat([unit.subarray(unit.length - left), tail]))
  const plain = head.length + unit.length * count + tail.length
  const packed = Buffer.concat(out)
  return Buffer.concat([u8(0xc3), length(packed.length), length(plain), packed])
}

/** A compressed listpack of a few elements, and then of a few others, which are short and repeated. */
export function repeatedListpack(first: readonly Element[], unit: readonly Element[], count: number): Buffer {
  const body = (elements: readonly Element[]) => listpack(elements).subarray(6, -1)
  const [head, one] = [body(first), body(unit)]
  const size = 7 + head.length + one.length * count
  return lzfRepeated(Buffer.concat([u32le(size), u16le(65_535), head]), one, count, u8(0xff))
}

function listpackElement(element: Element): Buffer {
  if (typeof element === "bigint") return Buffer.concat([u8(0xf4), i64le(element)])
  if (typeof element === "number") {
    if (element >= 0 && element < 128) return u8(element)
    if (element >= -4096 && element < 4096) return u8(0xc0 | ((element >> 8) & 31), element & 255)
    if (element >= -(2 ** 15) && element < 2 ** 15)
      return Buffer.concat([u8(0xf1), packed(2, (b) => b.writeInt16LE(element))])
    if (element >= -(2 ** 23) && element < 2 ** 23)
      return Buffer.concat([u8(0xf2), packed(3, (b) => b.writeIntLE(element, 0, 3))])
    return Buffer.concat([u8(0xf3), packed(4, (b) => b.writeInt32LE(element))])
  }
  const content = bytes(element)
  if (content.length < 64) return Buffer.concat([u8(0x80 | content.length), content])
  if (content.length < 4096) return Buffer.concat([u8(0xe0 | (content.length >> 8), content.length & 255), content])
  return Buffer.concat([u8(0xf0), u32le(content.length), content])
}

function backLength(size: number): Buffer {
  const count = size <= 127 ? 1 : size < 16383 ? 2 : size < 2097151 ? 3 : size < 268435455 ? 4 : 5
  return Buffer.from(
    Array.from({ length: count }, (_, at) => ((size >> (7 * (count - 1 - at))) & 127) | (at > 0 ? 128 : 0)),
  )
}

export function listpack(elements: readonly Element[], stated = elements.length): Buffer {
  const entries = elements.map((element) => {
    const entry = listpackElement(element)
    return Buffer.concat([entry, backLength(entry.length)])
  })
  const body = Buffer.concat([u16le(stated), ...entries, u8(0xff)])
  return Buffer.concat([u32le(body.length + 4), body])
}

function ziplistEntry(element: Element): Buffer {
  if (typeof element === "bigint") return Buffer.concat([u8(0xe0), i64le(element)])
  if (typeof element === "number") {
    if (element >= 0 && element <= 12) return u8(0xf1 + element)
    if (element >= -128 && element < 128) return u8(0xfe, element & 255)
    if (element >= -(2 ** 15) && element < 2 ** 15)
      return Buffer.concat([u8(0xc0), packed(2, (b) => b.writeInt16LE(element))])
    if (element >= -(2 ** 23) && element < 2 ** 23)
      return Buffer.concat([u8(0xf0), packed(3, (b) => b.writeIntLE(element, 0, 3))])
    return Buffer.concat([u8(0xd0), packed(4, (b) => b.writeInt32LE(element))])
  }
  const content = bytes(element)
  if (content.length < 64) return Buffer.concat([u8(content.length), content])
  if (content.length < 16384) return Buffer.concat([u8(0x40 | (content.length >> 8), content.length & 255), content])
  return Buffer.concat([u8(0x80), packed(4, (b) => b.writeUInt32BE(content.length)), content])
}

export function ziplist(elements: readonly Element[], stated = elements.length): Buffer {
  const parts: Buffer[] = []
  let tail = 10
  let at = 10
  let before = 0
  for (const element of elements) {
    const previous = before < 254 ? u8(before) : Buffer.concat([u8(0xfe), u32le(before)])
    const entry = Buffer.concat([previous, ziplistEntry(element)])
    parts.push(entry)
    tail = at
    at += entry.length
    before = entry.length
  }
  return Buffer.concat([u32le(at + 1), u32le(tail), u16le(stated), ...parts, u8(0xff)])
}

export function intset(values: readonly (number | bigint)[], width: 2 | 4 | 8): Buffer {
  const content = values.map((value) => i64le(value).subarray(0, width))
  return Buffer.concat([u32le(width), u32le(values.length), ...content])
}

/** Pairs of field and value; the values have `unused` bytes behind them. */
export function zipmap(pairs: readonly (readonly [string, string])[], unused = 0): Buffer {
  const size = (text: string) => (text.length < 254 ? u8(text.length) : Buffer.concat([u8(254), u32le(text.length)]))
  const parts = pairs.flatMap(([field, value]) => [
    joined(size(field), Buffer.from(field)),
    joined(size(value), u8(unused), Buffer.from(value), Buffer.alloc(unused)),
  ])
  return Buffer.concat([u8(Math.min(pairs.length, 254)), ...parts, u8(0xff)])
}

/** The old form of scores. */
export function scoreText(score: number): Buffer {
  if (Number.isNaN(score)) return u8(253)
  if (!Number.isFinite(score)) return u8(score > 0 ? 254 : 255)
  return Buffer.concat([u8(String(score).length), Buffer.from(String(score))])
}

/** A stream's id as it is in the file. */
export function streamId(ms: number, seq: number): Buffer {
  return packed(16, (b) => {
    b.writeBigUInt64BE(BigInt(ms))
    b.writeBigUInt64BE(BigInt(seq), 8)
  })
}

export interface StreamEntry {
  readonly after: readonly [ms: number, seq: number]
  /** The values of the shared fields; or other fields and values by turns. */
  readonly values?: readonly Element[]
  readonly own?: readonly Element[]
  readonly deleted?: true
}

/** The listpack of a stream's node, with the fields that its entries share. */
export function streamNode(shared: readonly string[], entries: readonly StreamEntry[]): Buffer {
  const deleted = entries.filter((entry) => entry.deleted).length
  const head = [entries.length - deleted, deleted, shared.length, ...shared, 0]
  const rows = entries.flatMap(({ after, values, own, deleted: gone }) => {
    const fields = values ?? [own!.length / 2, ...own!]
    return [(gone ? 1 : 0) | (values ? 2 : 0), ...after, ...fields, fields.length + 3]
  })
  return listpack([...head, ...rows])
}

/** A count and what is counted. */
export function counted(...parts: Buffer[][]): Buffer {
  return Buffer.concat([length(parts.length), ...parts.flat()])
}

export function entry(code: number, key: string | Buffer, ...value: Buffer[]): Buffer {
  return Buffer.concat([u8(code), string(key), ...value])
}

export const aux = (name: string, value: string): Buffer => Buffer.concat([u8(250), string(name), string(value)])
export const selectDb = (db: number): Buffer => Buffer.concat([u8(254), length(db)])
export const expireMs = (at: number): Buffer => Buffer.concat([u8(252), i64le(at)])

/** A module's type as a number: nine characters and a version. */
export function moduleId(name: string, version: number): Buffer {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  let id = 0n
  for (const character of name) id = (id << 6n) | BigInt(alphabet.indexOf(character))
  return length((id << 10n) | BigInt(version), 64)
}

/** Header, parts, end and checksum, which the first versions do not have. */
export function rdb(head: string, parts: readonly Buffer[], options: { checksum?: boolean } = {}): Buffer {
  const content = Buffer.concat([Buffer.from(head), ...parts, u8(255)])
  if (/^REDIS000[0-4]/.test(head)) return content
  const crc = new Crc64()
  crc.update(content, 0, content.length)
  const sum = packed(8, (b) => b.writeBigUInt64LE(options.checksum === false ? 0n : crc.value()))
  return Buffer.concat([content, sum])
}

/** The bytes as a stream of portions. */
export async function* portions(content: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}
