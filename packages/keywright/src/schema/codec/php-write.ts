/* What JSON can hold, as PHP's serialize() writes it: lists and objects as arrays, keys that read
 * as integers as integers, as PHP has them. */

import { codecRefused } from "../../errors/codec.ts"
import { DEEPEST } from "./message-pack-read.ts"

const LARGEST_KEY = 2n ** 63n - 1n

/** `document`: what `JSON.parse` returns. */
export function writePhp(document: unknown, depth = 0): string {
  if (depth > DEEPEST) throw codecRefused("PHP", `at most ${DEEPEST} levels`, "more")
  if (document === null) return "N;"
  if (typeof document === "boolean") return `b:${document ? 1 : 0};`
  if (typeof document === "number") return Number.isSafeInteger(document) ? `i:${document};` : `d:${document};`
  if (typeof document === "string") return phpText(document)
  const entries = Object.entries(document as object).map(([key, value]) => keyOf(key) + writePhp(value, depth + 1))
  return `a:${entries.length}:{${entries.join("")}}`
}

function phpText(text: string): string {
  if (!text.isWellFormed()) throw codecRefused("PHP", "well-formed text", text)
  return `s:${Buffer.byteLength(text)}:"${text}";`
}

const keyOf = (key: string): string => (isInteger(key) ? `i:${key};` : phpText(key))

function isInteger(key: string): boolean {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(key)) return false
  const value = BigInt(key)
  return value <= LARGEST_KEY && value >= -LARGEST_KEY - 1n
}
