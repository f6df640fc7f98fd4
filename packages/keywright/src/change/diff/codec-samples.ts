/* Texts that a codec reads, enough to distinguish it from others: its ends, its choices, and
 * whatever fits of a pool that holds something for every simple codec. Two codecs are compared
 * by what they make of each other's (codec-pair.ts). */

import type { CodecSpec } from "../../schema/codec/codec-spec.ts"
import { codecFrom } from "../../schema/json/codec-from-spec.ts"
import { LARGEST, schemaSamples } from "./schema-samples.ts"

/** What is stored: text, or bytes. */
export type StoredSample = string | Uint8Array

const numbers = ["0", "1", "-1", "2", "42", "-7", "1.5", "-0.25", "1e21", "20260102", "1767312000", "1767312000123"]
const large = ["9007199254740991", "-9007199254740991", "9223372036854775807", "123456789012345678901234567890"]
const dates = ["2026-01-02", "2026-01", "2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05Z"]
const words = [
  "",
  "a",
  "Abc",
  "A1",
  "abc-def_9",
  "x y",
  " 1 ",
  "true",
  "False",
  "é",
  "a:b",
  "a,b",
  "a,b,c",
  "1,2",
  "1;2",
]
const ids = [
  "f",
  "0a4d",
  "0A4D",
  "eb93-1a27",
  "3fa85f64-5717-4562-b3fc-2c963f66afa6",
  "0a4d55a8d778e5022fab701977c5d840bbc486d0",
]
const documents = ["{}", '{"a":1}', "[]", '"a"', "null"]
const pool: readonly string[] = [...numbers, ...large, ...dates, ...words, ...ids, ...documents]

const most = 60

/** Without the wrappers that do not change what is stored. */
export function bare(spec: CodecSpec): CodecSpec {
  return spec.codec === "secret" || spec.codec === "optional" ? bare(spec.of) : spec
}

/** Everything of the pool and of `more` that the codec reads. */
export function samplesOf(spec: CodecSpec, more: readonly string[] = []): StoredSample[] {
  const codec = codecFrom(spec)
  if (codec.decodeBytes) return bytesOf(bare(spec))
  const candidates = new Set([...ownTexts(spec), ...more, ...pool])
  return [...candidates].filter((text) => reads(() => codec.decode(text)))
}

/** Texts that only this codec would think of, whether it takes them or not. */
export function ownTexts(spec: CodecSpec): string[] {
  switch (spec.codec) {
    case "int":
    case "float":
      return [spec.min, spec.max].flatMap((end) =>
        end === undefined ? [] : [end, end - 1, end + 1, end / 2].map((number) => String(number)),
      )
    case "oneOf":
      return spec.values.map(String)
    case "anyOf":
      return spec.codecs.flatMap((one) => textsOf(one))
    case "json":
      return (spec.schema === undefined ? [] : schemaSamples(spec.schema)).map((value) => JSON.stringify(value))
    case "delimited":
      return rows(Object.values(spec.fields).map(textsOf)).map((cells) => cells.join(spec.separator))
    case "many":
      return manyTexts(textsOf(spec.item), spec.separator, spec.length)
    case "id":
      return [...(spec.example === undefined ? [] : [spec.example]), ...textsOf(spec.of)]
    case "tagged":
      return Object.entries(spec.tags).flatMap(([tag, of]) => textsOf(of).map((text) => tag + text))
    case "keyOf":
      return Object.values(spec.keys).map((pattern) => pattern.replace(/\{+\w+\}+/g, "1"))
    case "secret":
    case "optional":
      return ownTexts(spec.of)
    case "php":
      return packed(spec) as string[]
    case "trimmed":
      return textsOf(spec.of).flatMap((text) => [text, ` ${text}`])
    default:
      return []
  }
}

const textsOf = (spec: CodecSpec): string[] =>
  samplesOf(spec)
    .filter((text) => typeof text === "string")
    .slice(0, most)

/** As many rows as the longest column has texts; the others begin again. */
function rows(columns: readonly (readonly string[])[]): string[][] {
  const count = columns.some((column) => column.length === 0) ? 0 : Math.max(0, ...columns.map(({ length }) => length))
  return Array.from({ length: count }, (_, i) => columns.map((column, j) => column[(i + j) % column.length]!))
}

const manyTexts = (items: readonly string[], separator: string, length: number | undefined): string[] =>
  (length === undefined ? [0, 1, 2, 3] : [length])
    .filter((count) => count * Math.max(0, ...items.map((item) => item.length + separator.length)) <= LARGEST)
    .flatMap((count) =>
      items.map((_, i) =>
        Array.from({ length: count }, (__, j) => items[(i + j) % items.length] as string).join(separator),
      ),
    )

/** What a packing makes of the values that its codec reads; some it refuses. */
function packed(spec: Extract<CodecSpec, { readonly codec: "compressed" | "messagePack" | "php" }>): StoredSample[] {
  const [codec, inner] = [codecFrom(spec), codecFrom(spec.of)]
  return textsOf(spec.of).flatMap((text) => {
    try {
      return [codec.encode(inner.decode(text))]
    } catch {
      return []
    }
  })
}

function bytesOf(spec: CodecSpec): StoredSample[] {
  if (spec.codec === "compressed" || spec.codec === "messagePack") return packed(spec)
  if (spec.codec === "packedInts") {
    const codec = codecFrom(spec)
    return [[], [1], [0, 127, 128, 70_000]].map((list) => codec.encode(list) as Uint8Array)
  }
  return [new Uint8Array([0, 255, 128]), ...["", "a", "1", "{}"].map((text) => Buffer.from(text))]
}

export function reads(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}
