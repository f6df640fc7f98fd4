import { describe, expect, it } from "vitest"
import type { FormField } from "../../api.ts"
import { readField, readFields, textOfCell } from "./form-values.ts"

const field = (more: Partial<FormField>): FormField => ({
  name: "price",
  type: "number",
  optional: false,
  secret: false,
  as: "json",
  input: "text",
  ...more,
})

describe("what is typed into a form", () => {
  it("is sent as JSON where the field is JSON", () => {
    expect(readField(field({ input: "number" }), "12.5")).toEqual({ value: 12.5 })
    expect(readField(field({ input: "boolean" }), "true")).toEqual({ value: true })
    expect(readField(field({ input: "json" }), '["a"]')).toEqual({ value: ["a"] })
    expect(readField(field({ input: "text" }), "12.5")).toEqual({ value: "12.5" })
  })

  it("is sent as it is typed where the field is spelled as in Redis", () => {
    expect(readField(field({ as: "text", input: "number" }), "007")).toEqual({ value: "007" })
  })

  it("says what is wrong before anything is sent", () => {
    expect(readField(field({ input: "number" }), "twelve")).toEqual({ error: "a number is expected" })
    expect(readField(field({ input: "number" }), "")).toEqual({ error: "a number is expected" })
    expect(readField(field({ input: "json" }), "{")).toEqual({ error: "this is not JSON (number)" })
  })

  it("leaves out what is absent of a new record, and what was not touched of an old one", () => {
    const fields = [field({ name: "a" }), field({ name: "b", optional: true }), field({ name: "c", optional: true })]
    expect(readFields(fields, { a: "x", b: "" }, undefined).values).toEqual({ a: "x" })
    expect(readFields(fields, { a: "x", b: "", c: "z" }, { a: "x", b: "y", c: "z" }).values).toEqual({ b: null })
  })
})

describe("what a field holds", () => {
  it("is shown as one would type it, and a secret not at all", () => {
    expect(textOfCell(field({ input: "number" }), { decoded: 3 })).toBe("3")
    expect(textOfCell(field({ input: "json" }), { decoded: ["a"] })).toBe('[\n  "a"\n]')
    expect(textOfCell(field({ as: "text" }), { decoded: 3, raw: { text: "003", bytes: 3, cut: false } })).toBe("003")
    expect(textOfCell(field({ secret: true }), { decoded: { "~": "secret" }, secret: true })).toBe("")
  })
})
