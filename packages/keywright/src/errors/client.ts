/* What the typed client refuses, and what it finds where something else should be. */

import { SchemaError, type KeywrightError } from "./error.ts"
import { Undecodable } from "./outcome.ts"

export const ttlDecided = (pattern: string, chosen: string) =>
  new SchemaError("TTL.DECIDED", `"${pattern}" has its TTL in the schema; this call asks for ${chosen}`, {
    pattern,
    fix: "Leave out ttl, or declare either(…) in the schema.",
  })

export const ttlChoice = (pattern: string, choices: readonly string[], chosen: string | undefined) =>
  new SchemaError(
    "TTL.CHOICE",
    `"${pattern}" leaves the TTL to the writer; ${chosen === undefined ? "none was given" : `${chosen} is not one of them`}`,
    {
      pattern,
      fix: `Pass { ttl }: ${choices.join(" or ")}.`,
    },
  )

/** `part` is a field, a member, or the value. */
export const undecodable = (pattern: string, key: string, part: string, codec: string, cause: KeywrightError) =>
  new Undecodable("VALUE.UNDECODABLE", `${part} of ${key} does not fit its codec (${codec}): ${cause.message}`, {
    pattern,
    key,
    why: "Another program wrote it, or the schema has changed since.",
    fix: "Look at it with `keywright inspect`, and correct the value or the schema.",
    cause,
    details: { part, codec, reason: cause.code },
  })

export const fieldMissing = (pattern: string, key: string, field: string) =>
  new Undecodable("VALUE.MISSING_FIELD", `${key} has no field ${field}`, {
    pattern,
    key,
    why: "The schema says that every such hash has it.",
    fix: `Write it, or declare ${field}: optional(…).`,
    details: { field },
  })
