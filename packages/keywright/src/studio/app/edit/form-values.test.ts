import { describe, expect, it } from "vitest"
import type { Cell, FormField, Raw } from "../../api.ts"
import { shown } from "../../server/shown.ts"
import { isTypable, readField, readFields, textIn, textOfCell, untypableOf } from "./form-values.ts"

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
    const tooMany = { error: "a number has more digits than JavaScript keeps" }
    expect(readField(field({ input: "number" }), "1234567890123456789")).toEqual(tooMany)
    expect(readField(field({ input: "json" }), '[{"id":9007199254740993}]')).toEqual(tooMany)
    expect(readField(field({ input: "number" }), "")).toEqual({ error: "a number is expected" })
    expect(readField(field({ input: "json" }), "{")).toEqual({ error: "this is not JSON (number)" })
  })

  it("leaves out what is absent of a new record, and what was not touched of an old one", () => {
    const fields = [field({ name: "a" }), field({ name: "b", optional: true }), field({ name: "c", optional: true })]
    expect(readFields(fields, { a: "x", b: "" }, undefined).values).toEqual({ a: "x" })
    expect(readFields(fields, { a: "x", b: "", c: "z" }, { a: "x", b: "y", c: "z" }).values).toEqual({ b: null })
  })

  it.each(["constructor", "toString", "__proto__"])(
    "is nothing where nothing was typed into a field called %s",
    (name) => {
      expect(textIn({}, name)).toBe("")
      expect(readFields([field({ name })], {}, {}).values).toEqual({})
      const typed = Object.fromEntries([[name, "x"]])
      expect(Object.entries(readFields([field({ name })], typed, undefined).values)).toEqual([[name, "x"]])
    },
  )
})

describe("what a field holds", () => {
  it("is shown as one would type it, and a secret not at all", () => {
    expect(textOfCell(field({ input: "number" }), { decoded: 3 })).toBe("3")
    expect(textOfCell(field({ input: "json" }), { decoded: ["a"] })).toBe('[\n  "a"\n]')
    expect(textOfCell(field({ as: "text" }), { decoded: 3, raw: { text: "003", bytes: 3, cut: false } })).toBe("003")
    expect(textOfCell(field({ secret: true }), { decoded: { "~": "secret" }, secret: true })).toBe("")
  })

  const stored = (raw: Partial<Raw>): Cell => ({ raw: { bytes: 9, cut: false, ...raw } })
  it.each<[string, Partial<FormField>, Cell]>([
    ["a stored text that is cut", { as: "text" }, stored({ text: "the beginning", cut: true })],
    ["bytes", { as: "text" }, stored({ base64: "/w==" })],
    ["a text with a carriage return", { as: "text" }, stored({ text: "a\r\nb" })],
    ["a long text of a document", {}, { decoded: shown("x".repeat(20_000)) }],
    ["a text with a carriage return in one", {}, { decoded: shown("a\rb") }],
    ["a long text deep in a document", { input: "json" }, { decoded: shown({ a: ["x".repeat(20_000)] }) }],
    ["a long list", { input: "json" }, { decoded: shown(Array.from({ length: 2000 }, () => 1)) }],
    [
      "many fields",
      { input: "json" },
      { decoded: shown(Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [i, i]))) },
    ],
    [
      "a document that nests deeply",
      { input: "json" },
      { decoded: shown(JSON.parse(`${"[".repeat(20)}1${"]".repeat(20)}`)) },
    ],
    ["a field that means something to the page", { input: "json" }, { decoded: shown({ "~": "secret" }) }],
    ["a number that JSON does not have", { input: "number" }, { decoded: shown(-0) }],
    ["a secret", {}, { decoded: { "~": "secret" }, secret: true }],
  ])("is not in the form where it would not come back as it was: %s", (_, more, cell) => {
    expect(isTypable(field(more), cell)).toBe(false)
    expect(textOfCell(field(more), cell)).toBe("")
    expect([
      ...untypableOf([field(more), field({ name: "b" })], (name) => (name === "price" ? cell : undefined)),
    ]).toEqual(["price"])
  })

  it("is in the form where it would: lines, and what is absent", () => {
    expect(textOfCell(field({ as: "text" }), stored({ text: "a\nb" }))).toBe("a\nb")
    expect(isTypable(field({}), { decoded: { "~": "undefined" } })).toBe(true)
    expect(isTypable(field({ input: "json" }), { decoded: shown({ a: [{ b: "c\r" }] }) })).toBe(true)
  })
})
