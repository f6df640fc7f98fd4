/* The form in which Spring's GenericJackson2JsonRedisSerializer stores values: texts are
 * quoted, and documents name their class; a document that does not is left as it is. Numbers of more digits than a double holds are
 * kept: such a document is left as it is, except for the class names in front of its fields. */

import { parsedJson } from "../../schema/codec/json-checks.ts"

const CLASS = /^[a-zA-Z_$][\w$]*(\.[a-zA-Z_$][\w$]*)+$/
const LONG_NUMBER = /(?<![\w"])-?\d{16,}/

/** The value as it would be stored without class names: `"\"123\""` → `"123"`. */
export function fromJackson(text: string): string {
  const first = text[0]
  if (first !== '"' && first !== "[" && !(first === "{" && text.includes('"@class"'))) return text
  const value = parsedJson(text)
  if (value === undefined) return text // Not of that form.
  if (typeof value === "string") return value
  if (LONG_NUMBER.test(text)) return text.replace(/"@class"\s*:\s*"[^"]*"\s*,?\s*/g, "")
  return JSON.stringify(withoutClasses(value))
}

function withoutClasses(value: unknown): unknown {
  if (Array.isArray(value)) {
    const [name, inner] = value as unknown[]
    if (value.length === 2 && typeof name === "string" && CLASS.test(name) && isWrapped(inner))
      return withoutClasses(inner)
    return value.map(withoutClasses)
  }
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => field !== "@class")
      .map(([field, inner]) => [field, withoutClasses(inner)]),
  )
}

/** Collections and numbers are paired with their class; two texts are just two texts. */
const isWrapped = (inner: unknown): boolean => typeof inner === "object" || typeof inner === "number"
