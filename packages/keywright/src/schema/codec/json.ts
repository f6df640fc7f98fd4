/* JSON documents, checked by any Standard Schema library: zod, valibot, arktype.
 *
 * Two things are kept that validators like to drop. Fields that the schema does
 * not know survive a load and a save: another version of the application wrote
 * them. And what is stored is the value that was handed over, not the validator's
 * result, so that a transform runs once, when the document is read. */

import type { StandardSchemaV1 } from "@standard-schema/spec"
import { codecRefused } from "../../errors/codec.ts"
import { codecAsync, codecJsonIssues, codecValidatorThrew } from "../../errors/json.ts"
import { codec, type Codec } from "./codec.ts"
import type { JsonSchema } from "./codec-spec.ts"
import { isPlain, jsonKept } from "./json-kept.ts"
import { knowsAll } from "./json-known.ts"
import { setField } from "./set-field.ts"

/**
 * A JSON document, checked by a schema of zod, valibot, arktype or any other that follows Standard Schema. Fields that the
 * schema does not know survive a load and a save. What the schema makes of a document has to depend on nothing else: for
 * the same text it is not always asked again.
 * @example
 * const User = z.object({ id: z.string(), email: z.email() })
 * const shop = keyspace({ user: entity("user:{id}", json(User)) }, { ttl: "never" })
 */
export function json<Read = unknown, Write = Read>(schema: StandardSchemaV1<Write, Read>): Codec<Read, Write> {
  const standard = schema["~standard"]
  const isKnown = knowsAll(schema)
  const check = (value: unknown): Read => {
    const result = validated(standard, value)
    if (result instanceof Promise) {
      result.catch(() => undefined) // Nobody awaits it any more.
      throw codecAsync(standard.vendor)
    }
    if (result.issues) throw codecJsonIssues(result.issues)
    return result.value
  }
  const whole = (stored: unknown, checked: Read): Read =>
    isKnown?.(stored) === true ? checked : (keepUnknown(stored, checked) as Read)
  const read = (stored: unknown) => whole(stored, check(stored))
  const print = (value: unknown) => {
    const raw = printJson(value)
    const kept = jsonKept(value)
    if (kept === "lost") throw codecRefused("JSON", "a value that JSON can hold", value)
    return { raw, isConverted: kept === "converted" }
  }
  const accept = (value: unknown) => {
    const checked = check(value)
    const { raw, isConverted } = print(value)
    return { raw, read: isConverted ? read(JSON.parse(raw)) : whole(value, checked) }
  }
  const encode = (value: unknown) => {
    check(value)
    const { raw, isConverted } = print(value)
    // A Date and similar values are stored in another form, which has to be readable too.
    if (isConverted) check(JSON.parse(raw))
    return raw
  }
  return codec({
    name: "json",
    spec: { codec: "json", vendor: standard.vendor, ...describeSchema(schema) },
    example: "{}",
    encode,
    decode: (raw) => read(parseJson(raw)),
    document: { read, accept },
  })
}

/** What a validator throws, for example at a document that nests too deeply for it, is a refusal as others are. */
function validated<Read>(standard: StandardSchemaV1.Props<unknown, Read>, value: unknown) {
  try {
    return standard.validate(value)
  } catch (cause) {
    throw codecValidatorThrew(standard.vendor, cause)
  }
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
  if (Array.isArray(stored)) return Array.isArray(checked) ? keepInList(stored, checked) : checked
  if (Array.isArray(checked) || !isPlain(checked)) return checked
  // A document in the order of its schema, as most are: then only its parts need a closer look.
  const names = Object.keys(stored)
  const isWhole = isSame(names, Object.keys(checked))
  let kept = checked
  for (const name of names) {
    const before = stored[name]
    if (isWhole && !isContainer(before)) continue
    const isThere = isWhole || Object.hasOwn(checked, name)
    const value = isThere ? keepUnknown(before, checked[name]) : before
    if (isThere && value === checked[name]) continue
    if (kept === checked && Object.isFrozen(checked)) kept = { ...checked }
    setField(kept, name, value)
  }
  return kept === checked ? checked : Object.freeze(kept)
}

function keepInList(stored: readonly unknown[], checked: unknown[]): readonly unknown[] {
  if (stored.length !== checked.length) return checked
  let kept = checked
  for (let i = 0; i < stored.length; i++) {
    const value = keepUnknown(stored[i], checked[i])
    if (value === checked[i]) continue
    if (kept === checked && Object.isFrozen(checked)) kept = [...checked]
    kept[i] = value
  }
  return kept === checked ? checked : Object.freeze(kept)
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false
  return true
}

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

/** The schema as JSON Schema, where the library can say it (Standard JSON Schema). */
function describeSchema(schema: StandardSchemaV1): { schema?: JsonSchema } {
  const standard = schema["~standard"] as { jsonSchema?: { input(options: { target: string }): JsonSchema } }
  try {
    const described = standard.jsonSchema?.input({ target: "draft-2020-12" })
    return described ? { schema: JSON.parse(JSON.stringify(described), (_, part) => Object.freeze(part)) } : {}
  } catch {
    return {} // A schema with parts that JSON Schema cannot express: docs show it as plain JSON.
  }
}
