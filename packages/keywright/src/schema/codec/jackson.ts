/* JSON documents as Spring's GenericJackson2JsonRedisSerializer stores them: the class of the
 * document in `@class`, and beside each value whose declared type is not final, the class
 * that it has: `["java.util.ArrayList",[…]]`, `["java.math.BigDecimal",12.50]`.
 *
 *   jackson(Order, { type: "com.shop.Order", fields: { lines: "com.shop.Line[]", total: "java.math.BigDecimal" } })
 *
 * It writes what Spring Data Redis 3 writes, byte for byte if the document has the fields of
 * its class in their order: texts, booleans, longs, doubles, enums and instants are written
 * plainly, decimals and collections are typed. It reads this, plain JSON, and what Jackson's
 * own typings (NON_FINAL, EVERYTHING) write, with instants as text or as seconds. Fields that
 * the schema does not know are kept unchanged, with their classes. */

import type { StandardSchemaV1 } from "@standard-schema/spec"
import { codecRefused } from "../../errors/codec.ts"
import { codec, type Codec } from "./codec.ts"
import type { JacksonSpec, JsonSchema } from "./codec-spec.ts"
import { fromTyped } from "./jackson-read.ts"
import { toTyped } from "./jackson-write.ts"
import { json, parseJson } from "./json.ts"

/**
 * The Java classes that `jackson` writes into a document.
 * @example
 * const options: JacksonOptions = { type: "com.shop.Cart", fields: { lines: "com.shop.Line[]" } }
 */
export interface JacksonOptions {
  /** The class of the document: `"com.shop.Order"`. */
  readonly type: string
  /**
   * Java types of fields, by their path (`"lines.price"`), where JSON does not show them: for an object its class, for
   * a list the class of its elements and `[]`; `java.math.BigDecimal`, `java.util.Set`. Default:
   * `java.util.LinkedHashMap` and `java.util.ArrayList`.
   */
  readonly fields?: Readonly<Record<string, string>>
}

const CLASS = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?:\[\])?$/

/**
 * A JSON document in the form of Spring's `GenericJackson2JsonRedisSerializer`: Java programs and this one read each
 * other's documents.
 * @example
 * const Order = z.object({ id: z.string(), total: z.string() })
 * const order = jackson(Order, { type: "com.shop.Order", fields: { total: "java.math.BigDecimal" } })
 */
export function jackson<Read = unknown, Write = Read>(
  schema: StandardSchemaV1<Write, Read>,
  { type, fields = {} }: JacksonOptions,
): Codec<Read, Write> {
  for (const name of [type, ...Object.values(fields)])
    if (typeof name !== "string" || !CLASS.test(name)) throw codecRefused("jackson", "the name of a Java class", name)
  const inner = json(schema)
  const spec = inner.spec as { readonly codec: "json"; readonly schema?: JsonSchema; readonly vendor?: string }
  const jackson: JacksonSpec = Object.freeze({
    type,
    ...(Object.keys(fields).length > 0 && { fields: Object.freeze({ ...fields }) }),
  })
  const parse = (raw: string): unknown => fromTyped(parseJson(withTexts(raw)), spec.schema)
  const print = (raw: string): string => toTyped(JSON.parse(raw), spec.schema, jackson)
  return codec({
    ...inner,
    name: "jackson",
    spec: Object.freeze({ ...spec, jackson }),
    example: `{"@class":${JSON.stringify(type)}}`,
    encode: (value) => print(inner.encode(value)),
    decode: (raw) => inner.document!.read(parse(raw)),
    document: {
      parse,
      read: (document) => inner.document!.read(document),
      accept(document) {
        const { raw, read } = inner.document!.accept(document)
        return { raw: print(raw), read }
      },
    },
  })
}

/** Decimals keep all their digits: as texts. No text of JSON can hold such a beginning, since its quotes are escaped. */
const withTexts = (raw: string): string =>
  raw.replaceAll(/\["java\.math\.Big(Decimal|Integer)",\s*(-?\d[\d.eE+-]*)\s*\]/g, '["java.math.Big$1","$2"]')
