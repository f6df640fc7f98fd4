/* JSON documents, checked by any Standard Schema library: zod, valibot, arktype.
 *
 * Two things are kept that validators like to drop. Fields that the schema does
 * not know survive a load and a save: another version of the application wrote
 * them. And what is stored is the value that was handed over, not the validator's
 * result, so that a transform runs once, when the document is read. */

import type { StandardSchemaV1 } from "@standard-schema/spec"
import { codecRefused } from "../../errors/codec.ts"
import { codecAsync, codecJsonIssues } from "../../errors/json.ts"
import { codec, type Codec } from "./codec.ts"
import type { JsonSchema } from "./codec-spec.ts"

export function json<Read = unknown, Write = Read>(schema: StandardSchemaV1<Write, Read>): Codec<Read, Write> {
  const standard = schema["~standard"]
  const check = (value: unknown): Read => {
    const result = standard.validate(value)
    if (result instanceof Promise) throw codecAsync(standard.vendor)
    if (result.issues) throw codecJsonIssues(result.issues)
    return result.value
  }
  return codec({
    name: "json",
    spec: Object.freeze({ codec: "json", vendor: standard.vendor, ...describeSchema(schema) }),
    example: "{}",
    encode(value) {
      check(value)
      const raw = JSON.stringify(value)
      if (raw === undefined) throw codecRefused("JSON", "a value that JSON can hold", value)
      return raw
    },
    decode: (raw) => {
      const stored = parseJson(raw)
      return keepUnknown(stored, check(stored)) as Read
    },
  })
}

/** JSON.parse with an error that says what was found instead. */
export function parseJson(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch (cause) {
    throw Object.assign(codecRefused("JSON", "a JSON document", raw), { cause })
  }
}

/** Puts back what the validator stripped, at every depth where both sides are still objects. */
function keepUnknown(stored: unknown, checked: unknown): unknown {
  if (stored === checked || !isContainer(stored) || !isContainer(checked)) return checked
  if (Array.isArray(stored) || Array.isArray(checked)) {
    if (Array.isArray(stored) && Array.isArray(checked) && stored.length === checked.length) {
      for (let i = 0; i < stored.length; i++) keepUnknown(stored[i], checked[i])
    }
    return checked
  }
  if (Object.getPrototypeOf(checked) !== Object.prototype || Object.isFrozen(checked)) return checked
  for (const name in stored) {
    const value = stored[name]
    if (Object.hasOwn(checked, name)) {
      if (isContainer(value)) keepUnknown(value, checked[name])
    } else if (name === "__proto__") {
      Object.defineProperty(checked, name, { value, enumerable: true, writable: true, configurable: true })
    } else checked[name] = value
  }
  return checked
}

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

/** The schema as JSON Schema, where the library can say it (Standard JSON Schema). */
function describeSchema(schema: StandardSchemaV1): { schema?: JsonSchema } {
  const standard = schema["~standard"] as { jsonSchema?: { input(options: { target: string }): JsonSchema } }
  try {
    const described = standard.jsonSchema?.input({ target: "draft-2020-12" })
    return described ? { schema: described } : {}
  } catch {
    return {} // A schema with parts that JSON Schema has no words for: docs show it as plain JSON.
  }
}
