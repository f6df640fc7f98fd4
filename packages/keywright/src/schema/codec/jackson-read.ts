/* From what Jackson wrote to the plain document. The schema says what is a list and what is
 * a value beside its class; where it is silent, the form of the value decides. */

import type { JsonSchema } from "./codec-spec.ts"
import { isObject } from "./json-checks.ts"

const CLASS = /^\[?[a-zA-Z_$][\w$]*(\.[a-zA-Z_$][\w$]*)+;?$/

/** A parsed document, of which the schema knows some fields; the others stay as they came. */
export function fromTyped(document: unknown, schema: JsonSchema | undefined): unknown {
  if (!isObject(document)) return document
  const known = propertiesOf(schema)
  return Object.fromEntries(
    Object.entries(document)
      .filter(([name]) => name !== "@class")
      .map(([name, value]) => [
        name,
        known === undefined || name in known ? withoutClasses(value, known?.[name]) : value,
      ]),
  )
}

function withoutClasses(value: unknown, schema: JsonSchema | undefined): unknown {
  const [kinds, parts] = [kindsOf(schema), schemasInside(schema)]
  if (isWrapped(value, kinds)) return unwrapped(value[0], value[1], schema)
  if (Array.isArray(value)) return value.map((item) => withoutClasses(item, parts.items))
  if (isObject(value)) {
    const fields = Object.entries(value).filter(([name]) => name !== "@class")
    return Object.fromEntries(fields.map(([name, inner]) => [name, withoutClasses(inner, parts.properties?.[name])]))
  }
  return typeof value === "number" && isInstant(schema) ? isoOf(value) : value
}

/** `["java.util.ArrayList", […]]`, `["com.shop.Status", "PAID"]`: a class and its value. */
function isWrapped(value: unknown, kinds: ReadonlySet<string>): value is [string, unknown] {
  if (!Array.isArray(value) || value.length !== 2 || typeof value[0] !== "string" || !CLASS.test(value[0])) return false
  if (Array.isArray(value[1])) return true
  // A list of two texts may well begin with one that reads like a class: only the schema can decide.
  return kinds.size > 0 ? !kinds.has("array") : typeof value[1] !== "string"
}

function unwrapped(type: string, inner: unknown, schema: JsonSchema | undefined): unknown {
  if (type === "java.util.Date" && typeof inner === "number") return new Date(inner).toISOString()
  if (type === "java.time.Instant" && typeof inner === "number") return isoOf(inner)
  if (type.startsWith("java.math.Big") && typeof inner === "string")
    return kindsOf(schema).has("string") ? inner : Number(inner)
  return withoutClasses(inner, schema)
}

/** Seconds since 1970, to the microsecond, as Java prints an instant: with 0, 3 or 6 digits. */
function isoOf(seconds: number): string {
  const whole = Math.floor(seconds)
  const micros = Math.round((seconds - whole) * 1e6)
  const base = new Date((whole + (micros === 1e6 ? 1 : 0)) * 1000).toISOString().slice(0, 19)
  if (micros % 1e6 === 0) return `${base}Z`
  const digits = String(micros).padStart(6, "0")
  return `${base}.${digits.endsWith("000") ? digits.slice(0, 3) : digits}Z`
}

/** The alternatives that a schema has: itself, or those of `anyOf`, as of what may be null. */
const choices = (schema: JsonSchema | undefined): readonly JsonSchema[] =>
  schema === undefined ? [] : ((schema["anyOf"] ?? schema["oneOf"] ?? [schema]) as readonly JsonSchema[])

export const propertiesOf = (schema: JsonSchema | undefined): Readonly<Record<string, JsonSchema>> | undefined =>
  choices(schema).find((one) => "properties" in one)?.["properties"] as Readonly<Record<string, JsonSchema>> | undefined

export function schemasInside(schema: JsonSchema | undefined) {
  const items = choices(schema).find((one) => isObject(one["items"]))?.["items"] as JsonSchema | undefined
  const others = choices(schema).find((one) => isObject(one["additionalProperties"]))?.["additionalProperties"]
  return { items, properties: propertiesOf(schema), others: others as JsonSchema | undefined }
}

/** The JSON types that a value may have; none when the schema does not say. */
export function kindsOf(schema: JsonSchema | undefined): ReadonlySet<string> {
  return new Set(
    choices(schema).flatMap((one) => ("enum" in one ? ["string"] : ([one["type"] ?? []].flat() as string[]))),
  )
}

const isInstant = (schema: JsonSchema | undefined): boolean =>
  choices(schema).some((one) => one["format"] === "date-time")
