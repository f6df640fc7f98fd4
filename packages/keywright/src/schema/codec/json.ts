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
import { isPlain, jsonKept } from "./json-kept.ts"

export function json<Read = unknown, Write = Read>(schema: StandardSchemaV1<Write, Read>): Codec<Read, Write> {
  const standard = schema["~standard"]
  const check = (value: unknown): Read => {
    const result = standard.validate(value)
    if (result instanceof Promise) {
      result.catch(() => undefined) // Nobody waits for it any more.
      throw codecAsync(standard.vendor)
    }
    if (result.issues) throw codecJsonIssues(result.issues)
    return result.value
  }
  const read = (stored: unknown) => keepUnknown(stored, check(stored)) as Read
  const accept = (value: unknown) => {
    const checked = check(value)
    const raw = printJson(value)
    const kept = jsonKept(value)
    if (kept === "lost") throw codecRefused("JSON", "a value that JSON can hold", value)
    // A Date and its like are stored as another value: it has to be readable too.
    return { raw, read: kept === "converted" ? read(JSON.parse(raw)) : (keepUnknown(value, checked) as Read) }
  }
  return codec({
    name: "json",
    spec: { codec: "json", vendor: standard.vendor, ...describeSchema(schema) },
    example: "{}",
    encode: (value) => accept(value).raw,
    decode: (raw) => read(parseJson(raw)),
    document: { read, accept },
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

/** JSON.stringify with an error for cycles, bigints and what has no JSON at all. */
function printJson(value: unknown): string {
  let raw: string | undefined
  try {
    raw = JSON.stringify(value)
  } catch (cause) {
    throw Object.assign(codecRefused("JSON", "a value that JSON can hold", value), { cause })
  }
  if (raw === undefined) throw codecRefused("JSON", "a value that JSON can hold", value)
  return raw
}

/** Puts back what the validator stripped, at every depth where both sides are still plain. */
function keepUnknown(stored: unknown, checked: unknown): unknown {
  if (stored === checked || !isContainer(stored) || !isContainer(checked)) return checked
  if (Array.isArray(stored) !== Array.isArray(checked) || !isPlain(checked)) return checked
  if (Array.isArray(stored) && stored.length !== checked["length"]) return checked
  const frozen = Object.isFrozen(checked)
  const kept = frozen ? ((Array.isArray(checked) ? [...checked] : { ...checked }) as typeof checked) : checked
  for (const name in stored) {
    const value = Object.hasOwn(checked, name) ? keepUnknown(stored[name], checked[name]) : stored[name]
    if (name === "__proto__")
      Object.defineProperty(kept, name, { value, enumerable: true, writable: true, configurable: true })
    else if (kept[name] !== value || !Object.hasOwn(kept, name)) kept[name] = value
  }
  return frozen ? Object.freeze(kept) : kept
}

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

/** The schema as JSON Schema, where the library can say it (Standard JSON Schema). */
function describeSchema(schema: StandardSchemaV1): { schema?: JsonSchema } {
  const standard = schema["~standard"] as { jsonSchema?: { input(options: { target: string }): JsonSchema } }
  try {
    const described = standard.jsonSchema?.input({ target: "draft-2020-12" })
    return described ? { schema: JSON.parse(JSON.stringify(described), (_, part) => Object.freeze(part)) } : {}
  } catch {
    return {} // A schema with parts that JSON Schema has no words for: docs show it as plain JSON.
  }
}
