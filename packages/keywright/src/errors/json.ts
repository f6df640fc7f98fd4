/* What can be wrong with a JSON document. */

import type { StandardSchemaV1 } from "@standard-schema/spec"
import { type ErrorCode, type KeywrightError, SchemaError } from "./error.ts"

export const codecAsync = (vendor: string) =>
  new SchemaError("CODEC.ASYNC", `this ${vendor} schema validates asynchronously`, {
    why: "A value is checked in the same tick in which it is sent.",
    fix: "Take asynchronous refinements out of the schema and check them before saving.",
  })

export const codecTooDeep = (most: number) =>
  new SchemaError("CODEC.JSON_DEPTH", `the document nests more than ${most} levels deep`, {
    why: "It can be read, but neither printed nor saved again.",
    fix: "Find out who wrote it; delete it, or write it with fewer levels.",
  })

/** Without the message of what it threw: that may quote the value. */
export const codecValidatorThrew = (vendor: string, cause: unknown) =>
  new SchemaError(
    "CODEC.JSON_SCHEMA",
    `the document cannot be checked: its ${vendor} schema threw ${cause instanceof Error ? cause.name : "something"}`,
    { fix: "Let the schema report what does not fit, instead of throwing.", cause },
  )

/** The issues of an error, for one that says less: its details have only texts. */
const issuesOf = new WeakMap<Error, readonly StandardSchemaV1.Issue[]>()

export function codecJsonIssues(issues: readonly StandardSchemaV1.Issue[], hidden: SecretFields = []) {
  const texts = issues.map((issue) => textOf(issue, hidden))
  const more = texts.length > 3 ? ` (and ${texts.length - 3} more)` : ""
  const error = new SchemaError(
    "CODEC.JSON_SCHEMA",
    `the document does not fit its schema: ${texts.slice(0, 3).join("; ")}${more}`,
    {
      details: { issues: texts },
    },
  )
  issuesOf.set(error, issues)
  return error
}

/** Fields of a document that no message may quote; true: all of them. */
export type SecretFields = true | readonly string[]

/** The error of a codec whose documents have secret fields, without what may be in these. */
export function hidingIssues(error: KeywrightError, hidden: SecretFields, codec: string): KeywrightError {
  const issues = issuesOf.get(error)
  if (issues !== undefined) return codecJsonIssues(issues, hidden)
  return error.code === "CODEC.ASYNC" ? error : codecHidden(error.code, codec)
}

/** What is not even a document is not quoted: nobody knows which part of it is secret. */
export const codecHidden = (code: ErrorCode, codec: string) =>
  new SchemaError(code, `a value with secret fields is not ${codec}`, {
    fix: "Correct it where it was written; it is not shown, because some of its fields are secret.",
  })

function textOf({ path = [], message }: StandardSchemaV1.Issue, hidden: SecretFields): string {
  // Not by map(): the path of some validators is a list of another class, whose map() adds a part.
  const names = Array.from(path, (part) => String(typeof part === "object" ? part.key : part))
  const at = hidden === true ? 0 : names.findIndex((name) => hidden.includes(name))
  // Where a validator speaks of the whole document, or of a part that has parts, it may quote all of it.
  const isWhole = names.length === 0 || /[{[]/.test(message)
  const isHidden = at >= 0 || (isWhole && hidden !== true && hidden.length > 0)
  const where = (at >= 0 ? names.slice(0, at + 1) : names).join(".")
  const text = isHidden ? "does not fit" : message
  return where ? `${where}: ${text}` : text
}
