/* What a codec is, as plain JSON: the form in which a keyspace is written down,
 * compared and sent to the studio. json/codec-from-spec.ts makes the codec again from it. */

import type { Duration } from "../duration.ts"

export type CodecSpec =
  | { readonly codec: "text" | "bigint" | "decimal" | "flag" | "looseFlag" }
  | { readonly codec: "int" | "float"; readonly min?: number; readonly max?: number }
  | { readonly codec: "anyOf"; readonly codecs: readonly CodecSpec[] }
  | { readonly codec: "bytes" | "packedInts" | "value" }
  | { readonly codec: "day" | "month" | "compactDay" | "unixSeconds" | "unixMillis" | "isoInstant" }
  | { readonly codec: "oneOf"; readonly values: readonly (string | number)[] }
  | {
      readonly codec: "json"
      readonly schema?: JsonSchema
      readonly vendor?: string
      /** Written with the classes that Jackson names. */
      readonly jackson?: JacksonSpec
    }
  | { readonly codec: "delimited"; readonly separator: string; readonly fields: Readonly<Record<string, CodecSpec>> }
  | { readonly codec: "many"; readonly separator: string; readonly item: CodecSpec; readonly length?: number }
  | {
      readonly codec: "id"
      readonly name: string
      readonly of: CodecSpec
      readonly matching?: string
      readonly allow?: string
      readonly example?: string
    }
  | { readonly codec: "tagged"; readonly tags: Readonly<Record<string, CodecSpec>> }
  | { readonly codec: "keyOf"; readonly keys: Readonly<Record<string, string>>; readonly grace?: Duration }
  | { readonly codec: "compressed"; readonly of: CodecSpec; readonly format?: "gzip" | "zlib" }
  | { readonly codec: "messagePack" | "php"; readonly of: CodecSpec }
  | { readonly codec: "secret" | "optional" | "trimmed" | "quoted"; readonly of: CodecSpec }

/** The codecs that a codec is made of, each with the name of its place. */
export function partsOf(spec: CodecSpec): [string, CodecSpec][] {
  if ("of" in spec) return [["of", spec.of]]
  if ("item" in spec) return [["item", spec.item]]
  if ("codecs" in spec) return spec.codecs.map((one, i) => [`codecs[${i}]`, one])
  if ("tags" in spec) return Object.entries(spec.tags)
  return "fields" in spec ? Object.entries(spec.fields) : []
}

export interface JacksonSpec {
  /** The class of the document. */
  readonly type: string
  /** Java types of fields, by their path. */
  readonly fields?: Readonly<Record<string, string>>
}

/** A JSON Schema document, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>
