import { expect, it } from "vitest"
import { parseBody } from "./body.ts"

const parsed = (body: unknown) => parseBody(Buffer.from(JSON.stringify(body)), false)
const many = (fields: number, name = (i: number) => `f${i}`) =>
  Object.fromEntries(Array.from({ length: fields }, (_, i) => [name(i), 1]))

it.each([
  ["at the top", many(1001)],
  ["inside", { a: { b: many(1001) } }],
  ["in a list", { a: [{}, many(1001)] }],
  ["with long names", many(1001, (i) => `f${i}`.padEnd(900, "x"))],
])("refuses an object of more than 1000 fields %s", (_, body) => {
  expect(() => parsed(body)).toThrow("more than 1000 fields")
})

it("takes 1000 fields, and lists of any length", () => {
  expect(parsed(many(1000))).toEqual(many(1000))
  expect(parsed({ a: Array.from({ length: 50_000 }, () => 1) })).toMatchObject({ a: { length: 50_000 } })
})

it.each([
  ["as it is", '{"a":[{"__proto__":{"b":1}}]}'],
  ["with an escape", '{"a":[{"\\u005f_proto__":{"b":1}}]}'],
])("refuses a field that copies would lose, written %s", (_, text) => {
  expect(() => parseBody(Buffer.from(text), false)).toThrow("no field can be named __proto__")
})

it.each([
  ["lists", (levels: number) => "[".repeat(levels) + "]".repeat(levels)],
  ["objects", (levels: number) => '{"a":'.repeat(levels) + "1" + "}".repeat(levels)],
])("refuses %s in each other beyond 256 levels", (_, nested) => {
  expect(parseBody(Buffer.from(nested(256)), false)).toBeTypeOf("object")
  expect(() => parseBody(Buffer.from(nested(257)), false)).toThrow("nested more than 256 deep")
})
