/* MessagePack to what JSON can hold. Anything else (bytes, extensions such as timestamps, integers
 * beyond 2^53, NaN) is refused and not approximated. No length is trusted: memory grows only with
 * the bytes that are there. */

import { codecRefused } from "../../errors/codec.ts"
import { setField } from "./set-field.ts"

/** Levels of a document: more would only serve to exhaust the stack of a reader. */
export const DEEPEST = 128

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

export function readMessagePack(bytes: Uint8Array): unknown {
  const reader = new MessagePackReader(bytes)
  const value = reader.value(0)
  if (reader.at !== bytes.length) throw refused("one MessagePack value", `${bytes.length - reader.at} bytes after it`)
  return value
}

class MessagePackReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  value(depth: number): unknown {
    if (depth > DEEPEST) throw refused(`at most ${DEEPEST} levels`, "more")
    const byte = this.#view.getUint8(this.#take(1))
    if (byte < 0x80) return byte
    if (byte < 0x90) return this.#map(byte & 15, depth)
    if (byte < 0xa0) return this.#array(byte & 15, depth)
    if (byte < 0xc0) return this.#text(byte & 31)
    if (byte >= 0xe0) return byte - 256
    const read = READERS[byte]
    if (read !== undefined) return read(this.#view, (size) => this.#take(size))
    const count = LENGTHS[byte]?.(this.#view, (size) => this.#take(size))
    if (count === undefined) throw refused("a MessagePack value that JSON can hold", NAMES[byte] ?? "another one")
    if (byte >= 0xde) return this.#map(count, depth)
    return byte >= 0xdc ? this.#array(count, depth) : this.#text(count)
  }

  #array(count: number, depth: number): unknown[] {
    const items: unknown[] = []
    for (let i = 0; i < count; i++) items.push(this.value(depth + 1))
    return items
  }

  #map(count: number, depth: number): object {
    const fields = {}
    for (let i = 0; i < count; i++) {
      const name = this.value(depth + 1)
      if (typeof name !== "string") throw refused("text as the name of a field", typeof name)
      setField(fields, name, this.value(depth + 1))
    }
    return fields
  }

  #text(length: number): string {
    const from = this.#take(length)
    try {
      return utf8.decode(this.#bytes.subarray(from, from + length))
    } catch {
      throw refused("MessagePack with text in UTF-8", "other bytes")
    }
  }

  #take(size: number): number {
    const from = this.at
    if (from + size > this.#bytes.length) throw refused("a whole MessagePack value", "its beginning")
    this.at = from + size
    return from
  }
}

type Take = (size: number) => number
type Readers<T> = Readonly<Record<number, (view: DataView, take: Take) => T>>

const READERS: Readers<number | boolean | null> = {
  0xc0: () => null,
  0xc2: () => false,
  0xc3: () => true,
  0xca: (view, take) => finite(view.getFloat32(take(4))),
  0xcb: (view, take) => finite(view.getFloat64(take(8))),
  0xcc: (view, take) => view.getUint8(take(1)),
  0xcd: (view, take) => view.getUint16(take(2)),
  0xce: (view, take) => view.getUint32(take(4)),
  0xcf: (view, take) => safe(view.getBigUint64(take(8))),
  0xd0: (view, take) => view.getInt8(take(1)),
  0xd1: (view, take) => view.getInt16(take(2)),
  0xd2: (view, take) => view.getInt32(take(4)),
  0xd3: (view, take) => safe(view.getBigInt64(take(8))),
}

const one = (view: DataView, take: Take) => view.getUint8(take(1))
const two = (view: DataView, take: Take) => view.getUint16(take(2))
const four = (view: DataView, take: Take) => view.getUint32(take(4))
const LENGTHS: Readers<number> = { 0xd9: one, 0xda: two, 0xdb: four, 0xdc: two, 0xdd: four, 0xde: two, 0xdf: four }

const NAMES: Readonly<Record<number, string>> = {
  0xc1: "a byte that is never used",
  0xc4: "bytes",
  0xc5: "bytes",
  0xc6: "bytes",
  ...Object.fromEntries([0xc7, 0xc8, 0xc9, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8].map((byte) => [byte, "an extension"])),
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw refused("a number that JSON can hold", String(value))
  return value
}

function safe(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw refused("an integer up to 2^53 - 1", `${value}`)
  return number
}

const refused = (expected: string, found: string) => codecRefused("MESSAGE_PACK", expected, found)
