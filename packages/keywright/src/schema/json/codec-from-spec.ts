/* From a codec's description to the codec: the other half of `spec`. */

import { jsonFormCodec, jsonFormType } from "../../errors/json-form.ts"
import { anyOf } from "../codec/any-of.ts"
import type { BoundableCodec } from "../codec/bounds.ts"
import { bytes, compressed } from "../codec/bytes.ts"
import type { AnyCodec, Codec, TextCodec } from "../codec/codec.ts"
import type { CodecSpec, JacksonSpec, JsonSchema } from "../codec/codec-spec.ts"
import { compactDay, day, isoInstant, month, unixMillis, unixSeconds } from "../codec/date.ts"
import { delimited, many } from "../codec/delimited.ts"
import { flag, looseFlag } from "../codec/flag.ts"
import { id, tagged } from "../codec/id.ts"
import { keyOf } from "../codec/key-of.ts"
import { messagePack } from "../codec/message-pack.ts"
import { bigint, decimal, float, int } from "../codec/number.ts"
import { oneOf } from "../codec/one-of.ts"
import { php } from "../codec/php.ts"
import { packedInts } from "../codec/packed.ts"
import { text } from "../codec/text.ts"
import { fieldValue } from "../codec/value.ts"
import { quoted } from "../codec/quoted.ts"
import { optional, secret, trimmed } from "../codec/wrap.ts"
import { jsonSchemaCodec } from "./json-schema-codec.ts"
import * as read from "./read.ts"
import type { AtPath } from "./read.ts"

/**
 * Makes a codec from its `spec`, which is plain JSON. Throws JSON_FORM errors for anything else.
 * @example
 * console.log(codecFrom({ codec: "compactDay" }).decode("20111003")) // → 2011-10-03
 */
export const codecFrom = (spec: CodecSpec): AnyCodec => readCodec(read.root(spec))

const simple = {
  text,
  bigint,
  decimal,
  flag,
  looseFlag,
  bytes,
  packedInts,
  value: fieldValue,
  day,
  month,
  compactDay,
  unixSeconds,
  unixMillis,
  isoInstant,
} as const satisfies Record<string, AnyCodec>

type SpecParts = Map<string, AtPath>

interface SpecReader {
  /** Its fields besides `codec`. */
  readonly names: readonly string[]
  readonly make: (need: (name: string) => AtPath, from: SpecParts, path: string) => AnyCodec
}

/** For a codec that wraps a codec of text. */
const around = (make: (of: Codec<unknown>) => AnyCodec): SpecReader => ({
  names: ["of"],
  make: (need) => make(readTextCodec(need("of")) as Codec<unknown>),
})

const codecsWithParts: Record<string, SpecReader> = {
  int: { names: ["min", "max"], make: (_, from) => bounded(int, from) },
  float: { names: ["min", "max"], make: (_, from) => bounded(float, from) },
  anyOf: {
    names: ["codecs"],
    make: (need) => anyOf(...(read.items(need("codecs")).map(readTextCodec) as [TextCodec, TextCodec])),
  },
  oneOf: { names: ["values"], make: (need) => oneOf(...(read.items(need("values")).map(textOrNumber) as [string])) },
  json: {
    names: ["schema", "vendor", "jackson"],
    make: (_, from, path) =>
      jsonSchemaCodec(
        { codec: "json", ...read.present(from, { vendor: read.text, schema: object, jackson: jacksonSpec }) },
        path,
      ),
  },
  delimited: {
    names: ["separator", "fields"],
    make: (need) => delimited(read.text(need("separator")), read.record(need("fields"), readTextCodec)),
  },
  many: {
    names: ["separator", "item", "length"],
    make: (need, from) =>
      many(
        readTextCodec(need("item")) as Codec<unknown>,
        read.text(need("separator")),
        read.present(from, { length: read.whole }),
      ),
  },
  id: {
    names: ["name", "of", "matching", "allow", "example"],
    make: (need, from) =>
      id(
        read.text(need("name")),
        readTextCodec(need("of")) as Codec<string>,
        read.present(from, { matching: pattern, allow: read.text, example: read.text }),
      ),
  },
  tagged: {
    names: ["tags"],
    make: (need) => tagged(read.record(need("tags"), readTextCodec) as Record<string, Codec<string>>),
  },
  keyOf: {
    names: ["keys", "grace"],
    make: (need, from) => keyOf(read.record(need("keys"), read.text), read.present(from, { grace: read.duration })),
  },
  compressed: {
    names: ["of", "format"],
    make: (need, from) =>
      compressed(
        readTextCodec(need("of")) as Codec<unknown>,
        read.present(from, { format: (one) => read.word(one, ["gzip", "zlib"]) }),
      ),
  },
  messagePack: around(messagePack),
  php: around(php),
  trimmed: around(trimmed),
  quoted: around(quoted),
  secret: { names: ["of"], make: (need) => secret(readCodec(need("of"))) },
  optional: { names: ["of"], make: (need) => optional(readCodec(need("of")) as Codec<unknown>) },
}

const codecNames = [...Object.keys(simple), ...Object.keys(codecsWithParts)]

/** Reads a codec's spec at some path of a document. */
export function readCodec(at: AtPath): AnyCodec {
  const name = read.word(read.need(read.fields(at), "codec", at), codecNames)
  const { names = [], make } = codecsWithParts[name] ?? {}
  const from = read.fields(at, ["codec", ...names])
  if (make === undefined) return simple[name as keyof typeof simple]
  return read.declared(at, () => make((part) => read.need(from, part, at), from, at.path))
}

const bounded = (codec: BoundableCodec, from: SpecParts): AnyCodec =>
  from.has("min") || from.has("max") ? codec(read.present(from, { min: read.number, max: read.number })) : codec

/** A codec whose result is text: segments, members of composites. */
export function readTextCodec(at: AtPath): TextCodec {
  const found = readCodec(at)
  if (found.decodeBytes) throw jsonFormCodec(at.path, `${found.name} makes bytes; text is needed here`)
  return found as TextCodec
}

function textOrNumber({ value, path }: AtPath): string | number {
  if (typeof value !== "string" && typeof value !== "number") throw jsonFormType(path, "text or a number", value)
  return value
}

function jacksonSpec(at: AtPath): JacksonSpec {
  const from = read.fields(at, ["type", "fields"])
  const fields = from.get("fields")
  return { type: read.text(read.need(from, "type", at)), ...(fields && { fields: read.record(fields, read.text) }) }
}

function object(at: AtPath): JsonSchema {
  read.fields(at)
  return at.value as JsonSchema
}

function pattern(at: AtPath): RegExp {
  const source = read.text(at)
  try {
    return new RegExp(source, "u")
  } catch {
    throw jsonFormType(at.path, "a regular expression", source)
  }
}
