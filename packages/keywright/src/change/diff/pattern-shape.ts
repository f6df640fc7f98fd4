/* A pattern without the names of its parameters, which are not stored. */

import type { Key } from "../../schema/key.ts"
import { parsePattern } from "../../schema/pattern.ts"

/** `"cart:{id}"` → `"cart:{}"`: equal for patterns that spell the same keys. */
export const patternShape = (pattern: string): string =>
  parsePattern(pattern)
    .map((part) => (typeof part === "string" ? part : "\u0000"))
    .join("")

/** Equal for keys that are spelled alike in the same database. */
export const keyShape = ({ db, pattern }: Key): string => `${db} ${patternShape(pattern)}`

/** A pattern for SCAN's MATCH: `"cart:*"`. */
export const patternGlob = (pattern: string): string =>
  parsePattern(pattern)
    .map((part) => (typeof part === "string" ? part.replace(/[*?[\]\\]/g, "\\$&") : "*"))
    .join("")
