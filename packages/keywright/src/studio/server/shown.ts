/* Decoded values as the page gets them: JSON, with a word for what JSON cannot say,
 * and never more than fits a screen many times over. */

import type { Shown, Special } from "../api.ts"

export const SECRET: Special = { "~": "secret" }

const LONGEST_TEXT = 16_384
const MOST_PARTS = 1000
const DEEPEST = 12

export function shown(value: unknown, depth = 0): Shown {
  switch (typeof value) {
    case "string":
      return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value
    case "boolean":
      return value
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0) ? value : { "~": "number", text: numberText(value) }
    case "bigint":
      return { "~": "bigint", text: String(value) }
    case "object":
      return value === null ? null : ofObject(value, depth)
    default:
      return { "~": "undefined" }
  }
}

const numberText = (value: number): string => (Object.is(value, -0) ? "-0" : String(value))

function ofObject(value: object, depth: number): Shown {
  if (value === SECRET) return SECRET
  if (value instanceof Date) {
    const isDate = !Number.isNaN(value.getTime())
    return { "~": "date", text: isDate ? value.toISOString() : "no date" }
  }
  if (value instanceof Uint8Array) {
    const base64 = Buffer.from(value.subarray(0, LONGEST_TEXT)).toString("base64")
    return { "~": "bytes", base64, bytes: value.length }
  }
  if (depth >= DEEPEST) return { "~": "more", count: Object.keys(value).length }
  if (Array.isArray(value)) {
    const some = value.slice(0, MOST_PARTS).map((one) => shown(one, depth + 1))
    return value.length > MOST_PARTS ? [...some, { "~": "more", count: value.length - MOST_PARTS }] : some
  }
  const pairs = value instanceof Map ? [...value].map(([k, v]) => [String(k), v] as const) : Object.entries(value)
  const some = pairs.slice(0, MOST_PARTS).map(([name, inner]) => [name, shown(inner, depth + 1)] as const)
  // A field that means something here, or to JavaScript, is not put into an object.
  if (pairs.length > MOST_PARTS || pairs.some(([name]) => name === "~" || name === "__proto__"))
    return { "~": "object", entries: some }
  return Object.fromEntries(some)
}
