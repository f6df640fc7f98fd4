/* What another program stores for its users is theirs: which fields are there depends on what they do with it, so none
 * of them is required, and nothing is closed. */

import type { CodecSpec, JsonSchema } from "../../../schema/codec/codec-spec.ts"
import { isPacking } from "../../../schema/codec/document-spec.ts"
import type { Described } from "../values/kinds.ts"

export const withOpenValues = (described: Described): Described => ({
  ...described,
  shape: mapped(described.shape, openSpec),
  ...(described.fields !== undefined && {
    fields: mapped(described.fields, (spec) =>
      spec.codec === "optional" ? spec : { codec: "optional", of: openSpec(spec) },
    ),
  }),
})

const openSpec = (spec: CodecSpec): CodecSpec =>
  spec.codec === "oneOf"
    ? { codec: "text" }
    : spec.codec === "json" && spec.schema !== undefined
      ? { ...spec, schema: openSchema(spec.schema) }
      : isPacking(spec)
        ? { ...spec, of: openSpec(spec.of) }
        : spec

function openSchema(given: JsonSchema): JsonSchema {
  const isOpen = ([name]: readonly [string, unknown]) => name !== "required" && name !== "enum"
  return withProperties(Object.fromEntries(Object.entries(given).filter(isOpen)), openSchema)
}

/** A schema whose properties, where it has some, are changed. */
export function withProperties(schema: JsonSchema, change: (property: JsonSchema) => JsonSchema): JsonSchema {
  const { properties } = schema
  if (typeof properties !== "object" || properties === null) return schema
  return { ...schema, properties: mapped(properties as Readonly<Record<string, JsonSchema>>, change) }
}

export const mapped = <T>(of: Readonly<Record<string, T>>, change: (one: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(of).map(([name, one]) => [name, change(one)]))
