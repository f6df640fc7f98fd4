import { expect, it } from "vitest"
import { jsonSchemaOf } from "./json-schemas.ts"
import { documentsOf, times } from "./values.cases.ts"

const string = { type: "string" }
const integer = { type: "integer" }

it.each<[string, unknown[], object, string?]>([
  ["whole numbers", [1, 2], integer],
  ["any numbers", [1, 2.5], { type: "number" }],
  ["several kinds, null last", [null, 1, "a"], { anyOf: [string, integer, { type: "null" }] }],
  ["nothing but null", [null], {}],
  ["days", ["2026-01-31"], { ...string, format: "date" }],
  ["instants", ["2026-01-31T12:00:00Z"], { ...string, format: "date-time" }],
  ["choices in capitals", times(240, (i) => ["MALE", "FEMALE"][i % 2]!), { ...string, enum: ["FEMALE", "MALE"] }],
  ["words without a telling name", times(30, (i) => ["open", "done"][i % 2]!), string],
  [
    "words of a field named so",
    times(240, (i) => ["open", "done"][i % 2]!),
    { ...string, enum: ["done", "open"] },
    "orderStatus",
  ],
  [
    "fields, and which are always there",
    [...times(19, String).map((n) => ({ a: Number(n), b: "x" })), { a: 2 }],
    { type: "object", properties: { a: integer, b: string }, required: ["a"] },
  ],
  ["no field that every object has", [{ a: 1, constructor: 2 }], { type: "object", properties: { a: integer } }],
  [
    "ids as names of fields",
    Array.from({ length: 9 }, (_, i) => ({ [String(i)]: i })),
    { type: "object", additionalProperties: integer },
  ],
  ["arrays", [[1], []], { type: "array", items: integer }],
  ["empty arrays", [[]], { type: "array", items: {} }],
])("describes %s", (_, values, schema, name) => {
  expect(jsonSchemaOf(documentsOf(values), name)).toEqual(schema)
})
