/* What can be wrong with a JSON document. */

import type { StandardSchemaV1 } from "@standard-schema/spec"
import { SchemaError } from "./error.ts"

export const codecAsync = (vendor: string) =>
  new SchemaError("CODEC.ASYNC", `this ${vendor} schema validates asynchronously`, {
    why: "A value is checked in the same tick in which it is sent.",
    fix: "Take asynchronous refinements out of the schema and check them before saving.",
  })

export const codecTooDeep = (most: number) =>
  new SchemaError("CODEC.JSON_DEPTH", `a document that nests more than ${most} levels deep`, {
    why: "It can be read, but neither shown nor saved again.",
    fix: "Find out who wrote it; delete it, or write it with fewer levels.",
  })

/** Without the message of what it threw: that may quote the value. */
export const codecValidatorThrew = (vendor: string, cause: unknown) =>
  new SchemaError(
    "CODEC.JSON_SCHEMA",
    `the document cannot be checked: its ${vendor} schema threw ${cause instanceof Error ? cause.name : "something"}`,
    { cause },
  )

export function codecJsonIssues(issues: readonly StandardSchemaV1.Issue[]) {
  const texts = issues.map(({ path, message }) => {
    const where = path?.map((part) => String(typeof part === "object" ? part.key : part)).join(".")
    return where ? `${where}: ${message}` : message
  })
  const more = texts.length > 3 ? ` (and ${texts.length - 3} more)` : ""
  return new SchemaError(
    "CODEC.JSON_SCHEMA",
    `the document does not fit its schema: ${texts.slice(0, 3).join("; ")}${more}`,
    {
      details: { issues: texts },
    },
  )
}
