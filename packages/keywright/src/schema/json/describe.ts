/* What a codec's values are, in terms of JSON Schema: for docs, for the studio's forms,
 * and for other languages. It describes the value that your code sees; `x-` words say how
 * it is written down. */

import type { AnyCodec } from "../codec/codec.ts"
import type { CodecSpec, JsonSchema } from "../codec/codec-spec.ts"

/**
 * The JSON Schema of what a codec reads: for API descriptions and forms.
 * @example
 * console.log(describeCodec(day)) // → { type: 'string', format: 'date' }
 */
export const describeCodec = (codec: AnyCodec): JsonSchema => describeSpec(codec.spec)

function describeSpec(spec: CodecSpec): JsonSchema {
  switch (spec.codec) {
    case "json":
      return { ...spec.schema, ...(spec.jackson && { "x-jackson": spec.jackson.type }) }
    case "int":
    case "float":
      return {
        ...simple[spec.codec],
        ...(spec.min !== undefined && { minimum: spec.min }),
        ...(spec.max !== undefined && { maximum: spec.max }),
      }
    case "anyOf":
      return { anyOf: spec.codecs.map(describeSpec) }
    case "oneOf":
      return { enum: spec.values }
    case "delimited":
      return {
        type: "object",
        properties: mapped(spec.fields),
        required: Object.keys(spec.fields),
        additionalProperties: false,
        "x-separator": spec.separator,
      }
    case "many":
      return {
        type: "array",
        items: describeSpec(spec.item),
        ...(spec.length !== undefined && { minItems: spec.length, maxItems: spec.length }),
        "x-separator": spec.separator,
      }
    case "id":
      return {
        ...describeSpec(spec.of),
        ...(spec.matching !== undefined && { pattern: `^(?:${spec.matching})$` }),
        ...(spec.example !== undefined && { examples: [spec.example] }),
        "x-id": spec.name,
      }
    case "tagged":
      return {
        oneOf: Object.entries(spec.tags).map(([tag, of]) => record({ tag: { const: tag }, id: describeSpec(of) })),
      }
    case "keyOf":
      return {
        oneOf: Object.entries(spec.keys).map(([to, pattern]) =>
          record({ to: { const: to }, params: { type: "object", additionalProperties: { type: "string" } } }, pattern),
        ),
      }
    case "compressed":
      return { ...describeSpec(spec.of), "x-compressed": spec.format ?? "deflate-raw" }
    case "messagePack":
      return { ...describeSpec(spec.of), "x-stored": "as MessagePack" }
    case "php":
      return { ...describeSpec(spec.of), "x-stored": "as PHP serialises it" }
    case "secret":
      return { ...describeSpec(spec.of), "x-secret": true }
    case "trimmed":
      return describeSpec(spec.of)
    case "quoted":
      return { ...describeSpec(spec.of), "x-stored": "in quotes" }
    case "optional":
      return { ...describeSpec(spec.of), "x-optional": true }
    default:
      return simple[spec.codec]
  }
}

const simple = {
  text: { type: "string" },
  int: { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  bigint: { type: "integer", "x-bits": 64 },
  float: { type: "number" },
  decimal: { type: "string", pattern: "^-?\\d+(\\.\\d+)?$" },
  flag: { type: "boolean", "x-stored": "0 or 1" },
  looseFlag: { type: "boolean", "x-stored": "0 or 1" },
  packedInts: { type: "array", items: { type: "integer" }, "x-stored": "MessagePack" },
  bytes: { type: "string", contentEncoding: "base64", "x-stored": "bytes" },
  value: { type: ["string", "number", "boolean"] },
  day: { type: "string", format: "date" },
  month: { type: "string", pattern: "^\\d{4}-(0[1-9]|1[0-2])$" },
  compactDay: { type: "string", format: "date", "x-stored": "YYYYMMDD" },
  unixSeconds: { type: "string", format: "date-time", "x-stored": "seconds since 1970" },
  unixMillis: { type: "string", format: "date-time", "x-stored": "milliseconds since 1970" },
  isoInstant: { type: "string", format: "date-time" },
} satisfies { readonly [C in CodecSpec["codec"]]?: JsonSchema }

const mapped = (specs: Readonly<Record<string, CodecSpec>>): JsonSchema =>
  Object.fromEntries(Object.entries(specs).map(([name, of]) => [name, describeSpec(of)]))

const record = (properties: JsonSchema, pattern?: string): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...(pattern !== undefined && { "x-pattern": pattern }),
})
