/* A schema that was recorded on a server, or is in a file, and that was made so that reading or comparing it never ends. */

import { expect, it } from "vitest"
import { diffSchemas } from "../change/diff/diff.ts"
import type { KeyspaceForm } from "../schema/json/form.ts"
import { fromJson } from "../schema/json/from-json.ts"
import { readStored } from "./schema-on-server.ts"

const TIMEOUT_MS = 500
const endless = "^(?:[a-z]+)+$"
const long = `${"a".repeat(60)}!`

const schemaOf = (codec: object): KeyspaceForm =>
  ({
    version: 1,
    ttl: "never",
    entries: { note: { kind: "string", pattern: "note:{id}", shape: { value: codec } } },
  }) as never

const idOf = (matching: string, example: string) => ({
  codec: "id",
  name: "note",
  of: { codec: "text" },
  matching,
  example,
})

/** Each refers twice to the next. */
const doubling = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [
    `d${i}`,
    i === 59 ? {} : { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
  ]),
)
const forms = {
  "an expression that its own example keeps busy": schemaOf(idOf(endless, long)),
  "a JSON Schema whose references double": schemaOf({
    codec: "json",
    schema: { $ref: "#/$defs/d0", $defs: doubling },
  }),
}

for (const [what, form] of Object.entries(forms))
  it(`${what} is refused in time`, () => {
    const read = () => readStored(JSON.stringify(form), "redis://server", TIMEOUT_MS)
    expect(read).toThrow(expect.objectContaining({ code: "DIFF.STORED_SCHEMA" }))
    expect(() => diffSchemas(form, form, { timeoutMs: TIMEOUT_MS })).toThrow(
      expect.objectContaining({ code: "KEYSPACE.TOO_LARGE" }),
    )
  })

it("an expression that the other side's example keeps busy is not compared for ever", () => {
  const [before, after] = [schemaOf(idOf(endless, "abc")), schemaOf(idOf("^.{61}$", long))]
  expect(readStored(JSON.stringify(before), "redis://server")).toEqual(before)
  expect(() => diffSchemas(before, after, { timeoutMs: TIMEOUT_MS })).toThrow(
    expect.objectContaining({ code: "KEYSPACE.TOO_LARGE" }),
  )
})

const documentOf = (schema: object) => schemaOf({ codec: "json", schema })
const nested = (levels: number, within: (inner: object) => object): object =>
  levels === 0 ? { type: "string" } : within(nested(levels - 1, within))
const manyOf = (levels: number, more: { length?: number } = {}): object =>
  levels === 0
    ? { codec: "text" }
    : { codec: "many", separator: "-".repeat(levels), item: manyOf(levels - 1, more), ...more }

const large: Readonly<Record<string, object>> = {
  "lists of very many elements": { type: "array", minItems: 1e9, items: { type: "string" } },
  "long texts": { type: "string", minLength: 2 ** 30 },
  "lists of many elements in each other": nested(8, (items) => ({ type: "array", minItems: 1000, items })),
  "lists of a long constant": { type: "array", minItems: 1000, items: { const: "a".repeat(1e6) } },
  "objects that double": { type: "object", properties: { a: { $ref: "#" }, b: { $ref: "#" }, c: { $ref: "#" } } },
  "a negative or fractional length": { type: "string", minLength: -1, maxLength: 0.5 },
}

for (const [what, schema] of Object.entries(large))
  it(`a JSON Schema of ${what} is compared without making any`, () => {
    const [before, after] = [schema, { type: "boolean" }].map((one) => documentOf({ anyOf: [one, { type: "null" }] }))
    expect(diffSchemas(before!, after!).changes).toMatchObject([{ code: "FIELD.TYPE" }])
  })

it("a text of very many values is compared without making one", () => {
  const [before, after] = [
    manyOf(1, { length: 100_000 }),
    { codec: "many", separator: ";", item: manyOf(1, { length: 100_000 }), length: 2 },
  ]
  expect(diffSchemas(schemaOf(before), schemaOf(after)).changes).toHaveLength(1)
})

it.each([
  ["JSON_FORM.TOO_LARGE", documentOf(nested(900, (a) => ({ type: "object", properties: { a } })))],
  ["JSON_FORM.REFUSED", schemaOf(manyOf(1, { length: 1e9 }))],
  ["JSON_FORM.REFUSED", schemaOf(manyOf(3, { length: 1000 }))],
  ["JSON_FORM.REFUSED", schemaOf(manyOf(40))],
])("is refused with %s where it cannot be worked with", (code, form) => {
  expect(() => fromJson(form)).toThrow(expect.objectContaining({ code }))
})
