/* One schema for what several say, where it still says something. */

import type { JsonSchema } from "../../../schema/codec/codec-spec.ts"

/** What takes every value that one of these takes; `{}`, anything, where they have nothing in common. */
export const mergeSchemas = (schemas: readonly JsonSchema[]): JsonSchema => {
  const [first = {}, ...others] = schemas
  return others.reduce(merged, first)
}

function merged(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (JSON.stringify(one) === JSON.stringify(other)) return one
  const [a, b] = [one["type"], other["type"]]
  if (a === "array" && b === "array") return { type: "array", items: merged(itemsOf(one), itemsOf(other)) }
  if (isNumber(a) && isNumber(b)) return { type: "number" }
  if (a === "string" && b === "string") return { type: "string" }
  if (a !== "object" || b !== "object") return {}
  const [own, its] = [propertiesOf(one), propertiesOf(other)]
  if (own === undefined || its === undefined) return { type: "object", additionalProperties: {} }
  const names = [...new Set([...Object.keys(own), ...Object.keys(its)])]
  const required = requiredOf(one).filter((name) => requiredOf(other).includes(name))
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, mergeSchemas(present(own[name], its[name]))])),
    ...(required.length > 0 && { required }),
  }
}

const isNumber = (type: unknown): boolean => type === "integer" || type === "number"
const present = (...schemas: readonly (JsonSchema | undefined)[]): JsonSchema[] =>
  schemas.filter((schema) => schema !== undefined)
const itemsOf = (schema: JsonSchema): JsonSchema => (schema["items"] ?? {}) as JsonSchema
const propertiesOf = (schema: JsonSchema) => schema["properties"] as Readonly<Record<string, JsonSchema>> | undefined
const requiredOf = (schema: JsonSchema): readonly string[] => (schema["required"] ?? []) as readonly string[]
