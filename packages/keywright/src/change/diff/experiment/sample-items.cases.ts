/* What a program of a schema may write: ids and contents that its codecs take. */

import type { AnyCodec } from "../../../schema/codec/codec.ts"
import type { Key } from "../../../schema/key.ts"
import { samplesOf, type StoredSample } from "../codec-samples.ts"
import type { Item } from "./program.cases.ts"
import { spell } from "./same-value.cases.ts"

const SEGMENT = /^[^\s:{}*?[\]\\\p{Cc}]+$/u

/** Ids first, each with one content; then every content under one id. */
export function itemsOf(key: Key): Item[] {
  const contents = contentsOf(key)
  const ids = idsOf(key)
  const params = ids[0]!
  return [
    ...contents.slice(0, 1).map((content) => ({ params, content })),
    ...ids.slice(1).map((other) => ({ params: other, content: contents[0] })),
    ...contents.slice(1).map((content) => ({ params, content })),
    ...foreignSpellings(key).map(([content, raw]) => ({ params, content, raw })),
  ]
}

/** Texts that the codec reads and does not write itself: what programs in other languages write. */
function foreignSpellings({ kind, shape }: Key): [unknown, string][] {
  const codec = (shape as { value?: AnyCodec }).value
  if (kind !== "string" || codec === undefined || codec.decodeBytes) return []
  return samplesOf(codec.spec).flatMap((text): [unknown, string][] => {
    const content = codec.decode(text as string)
    return codec.spec.codec !== "json" && codec.encode(content) !== text ? [[content, text as string]] : []
  })
}

/** Digits first: ids that most codecs can name. */
function idsOf({ params }: Key): Record<string, unknown>[] {
  const all = Object.entries(params).map(([name, codec]) => {
    const found = values(codec).filter((one) => SEGMENT.test(String(codec.encode(one))))
    const isDigits = (one: unknown) => /^\d+$/.test(String(codec.encode(one)))
    return [name, [...found.filter(isDigits), ...found.filter((one) => !isDigits(one))]] as const
  })
  const count = Math.max(1, ...all.map(([, found]) => Math.min(found.length, 14)))
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries(all.map(([name, found], j) => [name, found[(i + j) % found.length]])),
  )
}

/** Values that a codec writes. */
function values(codec: AnyCodec): unknown[] {
  const read = (raw: StoredSample) =>
    codec.decodeBytes ? codec.decodeBytes(Buffer.from(raw)) : codec.decode(raw as string)
  return samplesOf(codec.spec).map(read)
}

function contentsOf({ kind, shape, keep }: Key): unknown[] {
  const { value, field, item, member, score, fields } = shape as Record<string, AnyCodec> & {
    fields: Record<string, AnyCodec>
  }
  switch (kind) {
    case "string":
    case "counter":
      return values(value!)
    case "hash":
    case "stream":
      return records(fields)
    case "map":
      return zip(values(field!), values(value!)).map((pair) => [pair])
    case "list":
      return [values(item!).slice(0, keep === undefined ? undefined : 20), ...values(item!).map((one) => [one])]
    case "set":
      return values(member!).map((one) => [one])
    case "zset":
      return [
        unique(zip(values(member!), values(score!))),
        ...zip(values(member!), values(score!)).map((pair) => [pair]),
      ]
    case "hyperloglog":
      return [["a", "b", "c"]]
    case "geo":
      return [[["a", { longitude: 13.4, latitude: 52.5 }]]]
    default:
      return [[1, 7, 9]]
  }
}

const unique = (pairs: [unknown, unknown][]) => [...new Map(pairs.map((pair) => [spell(pair[0]), pair])).values()]

const zip = (one: readonly unknown[], other: readonly unknown[]): [unknown, unknown][] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, i) => [one[i % one.length], other[i % other.length]])

/** With everything, and with only what is required. */
function records(fields: Readonly<Record<string, AnyCodec>>): Record<string, unknown>[] {
  const all = Object.entries(fields).map(([name, codec]) => [name, values(codec), codec.optional === true] as const)
  const count = Math.max(...all.map(([, found]) => found.length))
  const whole = Array.from({ length: count }, (_, i) =>
    Object.fromEntries(all.map(([name, found]) => [name, found[i % found.length]])),
  )
  return [
    ...whole,
    Object.fromEntries(all.filter(([, , optional]) => !optional).map(([name, found]) => [name, found[0]])),
  ]
}
