/* A JSON Schema without the keywords that do not affect what it accepts. */

import type { JsonSchema } from "../codec/codec-spec.ts"

const words = new Set(["$schema", "$comment", "title", "description", "examples", "deprecated", "default"])
/** Under these, names are data: a field may well be called "title". */
const maps = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"])
const values = new Set(["const", "enum"])

export const storedSchema = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !words.has(keyword))
      .map(([keyword, value]) => [keyword, values.has(keyword) ? value : stored(value, maps.has(keyword))]),
  )

function stored(value: unknown, named: boolean): unknown {
  if (Array.isArray(value)) return value.map((part) => stored(part, false))
  if (typeof value !== "object" || value === null) return value
  if (!named) return storedSchema(value as JsonSchema)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, stored(part, false)]))
}
