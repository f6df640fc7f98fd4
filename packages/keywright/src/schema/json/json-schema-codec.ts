/* A JSON document that is checked by a JSON Schema: what json() makes of zod,
 * valibot and arktype, made again from their description. The only file that
 * needs a validator of JSON Schema; it interprets, and generates no code. */

import { dereference, validate, type Schema } from "@cfworker/json-schema"
import type { StandardSchemaV1 } from "@standard-schema/spec"
import { jsonFormSchema, jsonFormTooLarge } from "../../errors/json-form.ts"
import type { Codec } from "../codec/codec.ts"
import type { CodecSpec, JsonSchema } from "../codec/codec-spec.ts"
import { jackson } from "../codec/jackson.ts"
import { json } from "../codec/json.ts"

type JsonSpec = Extract<CodecSpec, { readonly codec: "json" }>

/** Without a schema, any document. `path` is where the spec is, for errors. */
export function jsonSchemaCodec(
  { schema, vendor = "json-schema", jackson: java }: JsonSpec,
  path: string,
): Codec<unknown> {
  const check = schema ? jsonSchemaCheck(schema, path) : (value: unknown) => ({ value })
  const standard = { version: 1 as const, vendor, validate: check, jsonSchema: { input: () => schema } }
  const made = { "~standard": standard } as StandardSchemaV1
  return java === undefined ? json(made) : jackson(made, java)
}

/** The check of a Standard Schema, by a JSON Schema. */
export function jsonSchemaCheck(schema: JsonSchema, path = "$"): (value: unknown) => StandardSchemaV1.Result<unknown> {
  const validator = compiled(schema, path)
  return (value) => {
    // What will be stored is checked: the validator knows nothing but JSON.
    const raw = JSON.stringify(value)
    const { valid, errors } = raw === undefined ? noJson : validator(JSON.parse(raw))
    if (valid) return { value }
    // The validator also lists errors that only say that something nested is wrong.
    const own = errors.filter(({ keyword }) => !wrapping.has(keyword))
    return {
      issues: (own.length > 0 ? own : errors).map(({ instanceLocation, error }) => ({
        message: error,
        path: instanceLocation.split("/").slice(1),
      })),
    }
  }
}

const wrapping = new Set(["properties", "items", "$ref", "allOf", "if", "additionalProperties", "prefixItems"])
const noJson = { valid: false, errors: [{ keyword: "type", instanceLocation: "#", error: "not a JSON value" }] }

/** Far more than a document that people wrote has, and no more than can be compared. */
const DEEPEST = 200

const isDeeper = (value: unknown, left: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (left === 0 || Object.values(value).some((one) => isDeeper(one, left - 1)))

function compiled(schema: JsonSchema, path: string) {
  if (isDeeper(schema, DEEPEST)) throw jsonFormTooLarge(path, `a JSON Schema that is nested more than ${DEEPEST} deep`)
  try {
    const copy = structuredClone(schema) as Schema // The validator marks what it has read.
    const parts = dereference(copy)
    for (const part of Object.values(parts)) checkPart(part, parts)
    const run = (value: unknown) => validate(value, copy, "2020-12", parts, false)
    // One value of each type: a schema that only refers to itself never ends.
    for (const value of [null, true, 0, "", [], {}]) run(value)
    return run
  } catch (cause) {
    throw jsonFormSchema(path, cause instanceof RangeError ? "it never ends" : String((cause as Error).message), cause)
  }
}

/**
 * Checks that references resolve and that regular expressions are valid: otherwise both would fail only when a
 * value is checked.
 */
function checkPart(part: Schema | boolean, parts: Readonly<Record<string, Schema | boolean>>): void {
  if (typeof part === "boolean") return
  const reference = part["__absolute_ref__"] as string | undefined
  if (reference !== undefined && parts[reference] === undefined) throw new Error(`nothing at ${part.$ref}`)
  for (const pattern of [part.pattern, ...Object.keys(part.patternProperties ?? {})]) RegExp(pattern ?? "", "u")
}
