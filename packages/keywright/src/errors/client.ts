/* What the typed client refuses, and what it finds where something else should be. */

import { shown } from "./codec.ts"
import { SchemaError, type KeywrightError } from "./error.ts"
import { NotApplied, Undecodable } from "./outcome.ts"

export const ttlDecided = (pattern: string, chosen: string) =>
  new SchemaError("TTL.DECIDED", `"${pattern}" has its TTL in the schema; this call asks for ${chosen}`, {
    pattern,
    fix: "Leave out ttl and expireAt, or declare upTo(…) or either(…) in the schema.",
  })

/** `found` is what was asked for, or why it cannot be. */
export const ttlBeyond = (pattern: string, longest: string, found: string) =>
  new SchemaError("TTL.BEYOND", `"${pattern}" lives for up to ${longest}; this call asks for ${found}`, {
    pattern,
    why: "Nothing was written.",
    fix: `Pass a ttl from 1ms to ${longest}, or an expireAt within that time.`,
  })

export const ttlTwice = (pattern: string) =>
  new SchemaError("TTL.TWICE", `a record of "${pattern}" is given both a ttl and an expireAt`, {
    pattern,
    why: "Both say when the record expires.",
    fix: "Pass one of them.",
  })

export const ttlChoice = (pattern: string, choices: readonly string[], chosen: string | undefined) =>
  new SchemaError(
    "TTL.CHOICE",
    `"${pattern}" leaves the TTL to the writer; ${chosen === undefined ? "none was given" : `${chosen} is not one of its choices`}`,
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
    why: "The schema says that every such hash has this field.",
    fix: `Write it, or declare ${field}: optional(…).`,
    details: { field },
  })

export const metricRefused = (name: string, why: string) =>
  new SchemaError("METRICS.NAME", `the metric "${name}" cannot be added: ${why}`, { fix: "Choose another name." })

export const fieldUnknown = (given: unknown) => {
  const field = typeof given === "string" ? given.slice(0, 60) : shown(given)
  return new SchemaError("VALUE.UNKNOWN_FIELD", `there is no field ${field} in the schema`, {
    fix: "Correct the name, or declare the field.",
    details: { field },
  })
}

/** `given` is what was handed over; a number may be shown, unless it is a secret. */
export const argumentRefused = (what: string, expected: string, given: unknown, isSecret = false) =>
  new SchemaError("CALL.ARGUMENT", `${what} has to be ${expected}${isSecret ? "" : `; found ${kindOf(given)}`}`, {
    fix: "Correct the argument; nothing was sent.",
  })

export const withTooLarge = (deepest: number, most: number) =>
  new SchemaError("CALL.ARGUMENT", `\`with\` has more than ${deepest} levels, or more than ${most} relations`, {
    why: "Each level is asked for separately; an object that contains itself never ends.",
    fix: "Ask for fewer relations at once; nothing was sent.",
  })

/** A call that failed because of the type of an argument. Its own message may contain the value, so it is only the cause. */
export const typesRefused = (cause: TypeError) =>
  new SchemaError("CALL.ARGUMENT", "an argument is of a type that this call does not take", {
    fix: "Correct the argument; nothing was sent.",
    cause,
  })

const kindOf = (given: unknown): string => {
  if (typeof given === "number" || typeof given === "bigint" || given === undefined || given === null)
    return String(given)
  if (given instanceof Promise) return "a promise"
  return Array.isArray(given) ? "an array" : `a value of type ${typeof given}`
}

export const recordIncomplete = (field: string) =>
  new SchemaError("VALUE.INCOMPLETE", `a whole record needs ${field}`, {
    fix: "Pass all required fields, or use set() to change some of them.",
    details: { field },
  })

export const scoreRounded = (score: bigint) =>
  new SchemaError("VALUE.SCORE_ROUNDED", `the score ${score} is beyond 2^53`, {
    why: "Redis keeps scores as 64-bit floating point numbers and would round it.",
    fix: "Use smaller scores, or keep the number as a value.",
  })

export const notTogether = (method: string, why: string) =>
  new SchemaError("CALL.NOT_TOGETHER", `${method} cannot use these two keys in one step: ${why}`, {
    fix: "Use handles of the same client, whose keys are of one kind and in one database.",
  })

export const directOnly = () =>
  new SchemaError("CALL.DIRECT_ONLY", "this call reads, loads and stores in turn: it cannot be part of a batch", {
    fix: "Call it on the client itself, outside of $batch, $multi and $transaction.",
  })

export const familyRefused = (family: string, why: string) =>
  new SchemaError("FAMILY.REFUSED", `the family ${family} cannot be used: ${why}`, {
    fix: "Use only strings, hashes, maps, lists, sets and sorted sets in it, with no parameters but those of its prefix.",
  })

export const familyWithoutMarker = (family: string, marker: string) =>
  new SchemaError("FAMILY.MARKER", `the family ${family} cannot be filled without ${marker}`, {
    why: "It marks the family as loaded; without it the other keys would never be read.",
    fix: `Let the loader return ${marker} as well, or undefined if there is nothing to load.`,
  })

export const familyUnknown = (family: string, name: string) =>
  new SchemaError("FAMILY.UNKNOWN_NAME", `the family ${family} has no "${name}"`, {
    fix: "Pass only entries that the family declares.",
  })

export const cacheRefused = (pattern: string, why: string) =>
  new SchemaError("CACHE.REFUSED", `"${pattern}" cannot be cached that way: ${why}`, {
    pattern,
    fix: "Change the options of the call, or the TTL in the schema.",
  })

export const operationIdRefused = () =>
  new SchemaError(
    "CALL.OPERATION_ID",
    "an operation id is not a string, is empty or too long, or contains white space, braces or control characters",
    {
      why: "It becomes a part of a key.",
      fix: "Use a string of up to 200 characters, such as a UUID or the id of a request.",
    },
  )

export const loadAborted = (cause: unknown) =>
  new NotApplied("CALL.ABORTED", "the call was aborted while its value was being loaded", {
    why: "Others may wait for the same value: the load continues without this caller.",
    fix: "Call again if the value is still needed.",
    cause,
  })
