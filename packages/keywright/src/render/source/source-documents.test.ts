import { expect, it } from "vitest"
import type { JsonSchema } from "../../schema/codec/codec-spec.ts"
import { print } from "./code.ts"
import { libraries } from "./source-documents.ts"

const string = { type: "string" }

it.each<[string, JsonSchema, zod: string, valibot: string, arktype: string]>([
  ["text", string, "z.string()", "v.string()", 'type("string")'],
  ["whole numbers", { type: "integer" }, "z.int()", "v.pipe(v.number(), v.integer())", 'type("number.integer")'],
  [
    "instants",
    { ...string, format: "date-time" },
    "z.iso.datetime()",
    "v.pipe(v.string(), v.isoTimestamp())",
    'type("string.date.iso")',
  ],
  ["anything", {}, "z.unknown()", "v.unknown()", 'type("unknown")'],
  ["choices", { enum: ["a", "b"] }, 'z.enum(["a", "b"])', 'v.picklist(["a", "b"])', `type("'a' | 'b'")`],
  [
    "choices with quotes",
    { enum: ["it's", 'a"b\\'] },
    'z.enum(["it\'s", "a\\"b\\\\"])',
    'v.picklist(["it\'s", "a\\"b\\\\"])',
    'type.enumerated("it\'s", "a\\"b\\\\")',
  ],
  ["lists", { type: "array", items: string }, "z.array(z.string())", "v.array(v.string())", 'type("string[]")'],
  [
    "null",
    { anyOf: [string, { type: "null" }] },
    "z.string().nullable()",
    "v.nullable(v.string())",
    'type("string | null")',
  ],
  [
    "several kinds",
    { anyOf: [string, { type: "number" }] },
    "z.union([z.string(), z.number()])",
    "v.union([v.string(), v.number()])",
    'type("string | number")',
  ],
  [
    "dictionaries",
    { type: "object", additionalProperties: string },
    "z.record(z.string(), z.string())",
    "v.record(v.string(), v.string())",
    'type({ "[string]": "string" })',
  ],
  [
    "documents",
    { type: "object", properties: { a: string, "b-c": string }, required: ["a"] },
    'z.object({ a: z.string(), "b-c": z.string().optional() })',
    'v.object({ a: v.string(), "b-c": v.optional(v.string()) })',
    'type({ a: "string", "b-c?": "string" })',
  ],
  [
    "names that are words of arktype's, which has no others for them",
    {
      type: "object",
      properties: { a: string, "b?": string, "\\": string, "[string]": string },
      required: ["a", "b?"],
    },
    'z.object({ a: z.string(), "b?": z.string(), "\\\\": z.string().optional(), "[string]": z.string().optional() })',
    'v.object({ a: v.string(), "b?": v.string(), "\\\\": v.optional(v.string()), "[string]": v.optional(v.string()) })',
    'type({ a: "string" })',
  ],
  [
    "lists of documents",
    { type: "array", items: { type: "object", properties: { a: string }, required: ["a"] } },
    "z.array(z.object({ a: z.string() }))",
    "v.array(v.object({ a: v.string() }))",
    'type({ a: "string" }).array()',
  ],
  [
    "what may be null and absent",
    { type: "object", properties: { a: { anyOf: [string, { type: "null" }] } } },
    "z.object({ a: z.string().nullish() })",
    "v.object({ a: v.optional(v.nullable(v.string())) })",
    'type({ "a?": "string | null" })',
  ],
])("writes %s", (_, schema, zod, valibot, arktype) => {
  expect(print(libraries.zod.print(schema))).toBe(zod)
  expect(print(libraries.valibot.print(schema))).toBe(valibot)
  expect(print(libraries.arktype.print(schema))).toBe(arktype)
})
