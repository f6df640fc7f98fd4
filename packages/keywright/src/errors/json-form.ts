/* What can be wrong with the JSON form of a keyspace. Each error says where, as a
 * path: `$.entries.viewed.shape.member`. */

import { shown } from "./codec.ts"
import { SchemaError, type ErrorCode } from "./error.ts"

const refused = (code: string, path: string, message: string, fix: string) =>
  new SchemaError(`JSON_FORM.${code}` as ErrorCode, `${path}: ${message}`, { fix, details: { path } })

export const jsonFormType = (path: string, expected: string, found: unknown) =>
  refused(
    "TYPE",
    path,
    `expected ${expected}, found ${Array.isArray(found) ? "a list" : shown(found)}`,
    `Write ${expected} there.`,
  )

export const jsonFormMissing = (path: string, name: string) =>
  refused("MISSING", path, `"${name}" is missing`, `Add "${name}".`)

export const jsonFormUnknown = (path: string, name: string, known: readonly string[]) =>
  refused("UNKNOWN", path, `${shown(name)} is not known here`, `Use one of: ${known.join(", ")}.`)

export const jsonFormTwice = (file: string, name: string) =>
  refused("TWICE", file, `an object has the name ${shown(name)} twice`, "Give one of the two another name.")

export const jsonFormVersion = (found: unknown) =>
  refused("VERSION", "$.version", `expected 1, found ${shown(found)}`, "Use the version of Keywright that wrote it.")

export const jsonFormTooLarge = (path: string, what: string) =>
  refused("TOO_LARGE", path, what, "Split the keyspace: nobody could read this one.")

export const jsonFormCodec = (path: string, why: string) =>
  refused("CODEC", path, why, "Use a codec that fits the place: text for segments, numbers for scores and counters.")

/** A declaration that is refused, with its place in the document. */
export const jsonFormRefused = (path: string, cause: SchemaError) =>
  new SchemaError("JSON_FORM.REFUSED", `${path}: ${cause.message}`, {
    ...(cause.why !== undefined && { why: cause.why }),
    fix: cause.fix ?? "Change what is there.",
    details: { path, code: cause.code },
    cause,
  })

export const jsonFormSchema = (path: string, why: string, cause?: unknown) =>
  new SchemaError("JSON_FORM.SCHEMA", `${path}: not a JSON Schema that can be used: ${why}`, {
    fix: "Write a self-contained JSON Schema, draft 2020-12.",
    details: { path },
    cause,
  })

export const jsonFormCustomCodec = (path: string, codec: unknown) =>
  new SchemaError("JSON_FORM.CUSTOM_CODEC", `${path}: the codec ${shown(codec)} has no JSON form`, {
    why: "Only Keywright's own codecs can be rebuilt from their description.",
    fix: "Build the codec from Keywright's own, or use the keyspace from TypeScript.",
    details: { path },
  })
