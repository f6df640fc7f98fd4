/* From the plain document to what Jackson writes: classes, typed collections and decimals, and
 * doubles as Java prints them. */

import type { JacksonSpec, JsonSchema } from "./codec-spec.ts"
import { quote } from "./quoted.ts"
import { kindsOf, schemasInside, propertiesOf } from "./jackson-read.ts"

export function toTyped(document: unknown, schema: JsonSchema | undefined, { type, fields = {} }: JacksonSpec): string {
  if (typeof document !== "object" || document === null || Array.isArray(document)) return JSON.stringify(document)
  const known = propertiesOf(schema)
  const own = Object.entries(document).map(([name, value]): [string, string] => [
    name,
    known === undefined || name in known ? typed(value, known?.[name], fields[name], name, fields) : asItCame(value),
  ])
  return printed(type, own)
}

function typed(
  value: unknown,
  schema: JsonSchema | undefined,
  type: string | undefined,
  path: string,
  fields: Readonly<Record<string, string>>,
): string {
  if (value === null) return "null"
  if (type?.startsWith("java.math.Big") && !type.endsWith("[]"))
    return `["${type}",${String(value as string | number)}]`
  const parts = schemasInside(schema)
  if (Array.isArray(value)) {
    const of = type?.endsWith("[]") ? type.slice(0, -2) : undefined
    const items = value.map((item) => typed(item, parts.items, of, path, fields))
    return `["${type === undefined || of !== undefined ? "java.util.ArrayList" : collection(type)}",[${items.join(",")}]]`
  }
  if (typeof value === "object") {
    const inner = Object.entries(value).map(([name, one]): [string, string] => {
      const below = `${path}.${name}`
      return [name, typed(one, parts.properties?.[name], fields[below], below, fields)]
    })
    return printed(type ?? "java.util.LinkedHashMap", inner)
  }
  const kinds = kindsOf(schema)
  if (typeof value === "number" && kinds.has("number") && !kinds.has("integer")) return javaDouble(value)
  return typeof value === "string" ? quote(value) : JSON.stringify(value)
}

/** Decimals of fields that the schema does not know are numbers again: they were read as texts, for their digits. */
const asItCame = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /\["java\.math\.Big(Decimal|Integer)","(-?\d[\d.eE+-]*)"\]/g,
    '["java.math.Big$1",$2]',
  )

/** Interfaces are written as what Java programs usually make of them. */
const collection = (type: string): string =>
  ({ "java.util.List": "java.util.ArrayList", "java.util.Set": "java.util.HashSet" })[type] ?? type

const printed = (type: string, fields: readonly (readonly [name: string, value: string])[]): string =>
  `{${[["@class", JSON.stringify(type)] as const, ...fields].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`

/** `150000` → `150000.0`, `12345678` → `1.2345678E7`: as Double.toString prints. */
export function javaDouble(value: number): string {
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0"
  const [digits = "", power = "0"] = Math.abs(value).toExponential().split("e")
  const sign = value < 0 ? "-" : ""
  const exponent = Number(power)
  if (exponent >= -3 && exponent < 7) {
    const text = String(Math.abs(value))
    return sign + (text.includes(".") ? text : `${text}.0`)
  }
  return `${sign}${digits.includes(".") ? digits : `${digits}.0`}E${exponent}`
}
