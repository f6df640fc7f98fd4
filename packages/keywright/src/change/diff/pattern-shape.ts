/* A pattern without the names of its parameters, which are not stored. */

import { parsePattern } from "../../schema/pattern.ts"

/** `"cart:{id}"` → `"cart:{}"`: equal for patterns that spell the same keys. */
export const patternShape = (pattern: string): string =>
  parsePattern(pattern)
    .map((part) => (typeof part === "string" ? part : "\u0000"))
    .join("")

/** A pattern for SCAN's MATCH: `"cart:*"`. */
export const patternGlob = (pattern: string): string =>
  parsePattern(pattern)
    .map((part) => (typeof part === "string" ? part.replace(/[*?[\]\\]/g, "\\$&") : "*"))
    .join("")

/** The names of its parameters, in their order. */
export const paramsIn = (pattern: string): string[] =>
  parsePattern(pattern).flatMap((part) => (typeof part === "string" ? [] : [part.param]))
