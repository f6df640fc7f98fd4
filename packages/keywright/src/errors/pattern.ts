/* What can be wrong with a pattern. */

import { SchemaError, type ErrorCode } from "./error.ts"

const refused = (code: string, pattern: string, message: string, fix: string) =>
  new SchemaError(`PATTERN.${code}` as ErrorCode, `"${pattern}": ${message}`, { pattern, fix })

export const patternBraces = (pattern: string) =>
  refused("BRACES", pattern, "a brace without its partner", "Write {name}, or {{name}} for a hash tag.")

export const patternName = (pattern: string) =>
  refused("PARAM_NAME", pattern, "a bad parameter name", "Use letters, digits and _.")

export const patternDuplicate = (pattern: string, name: string) =>
  refused("DUPLICATE_PARAM", pattern, `{${name}} appears twice`, "Rename one of them.")

export const patternTouching = (pattern: string) =>
  refused("TOUCHING_PARAMS", pattern, "two parameters touch", "Separate them.")
