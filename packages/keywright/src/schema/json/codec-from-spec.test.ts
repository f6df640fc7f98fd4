import { describe, expect, test } from "vitest"
import * as z from "zod"
import { SchemaError } from "../../errors/error.ts"
import { codecs } from "../codec/codecs.cases.ts"
import { json } from "../codec/json.ts"
import { codecFrom } from "./codec-from-spec.ts"
import { describeCodec } from "./describe.ts"

describe.each(codecs)("$name", ({ codec, values, refusedRaw }) => {
  const again = codecFrom(JSON.parse(JSON.stringify(codec.spec)) as typeof codec.spec)

  test("is made again from its spec", () => {
    expect(again.spec).toEqual(codec.spec)
    const { encode: _, decode: __, decodeBytes: ___, document: ____, stored: _____, ...data } = codec
    expect({ ...again }).toMatchObject(data)
  })

  test("writes and reads the same", () => {
    for (const value of values) expect(again.encode(value)).toEqual(codec.encode(value))
    const anything = codec.spec.codec === "json" && codec.spec.schema === undefined
    for (const [raw, code] of refusedRaw) {
      if (!anything || code === "CODEC.JSON") expect(() => again.decode(raw)).toThrow(SchemaError)
    }
  })

  test("has a description", () => {
    expect(describeCodec(codec)).toEqual(describeCodec(again))
    expect(JSON.parse(JSON.stringify(describeCodec(codec)))).toEqual(describeCodec(codec))
  })
})

test("a JSON document is checked by its JSON Schema, and keeps unknown fields", () => {
  const again = codecFrom(json(z.object({ name: z.string(), age: z.int().min(0).optional() })).spec)
  expect(again.decode('{"name":"Ada","more":[1]}')).toEqual({ name: "Ada", more: [1] })
  expect(again.encode({ name: "Ada", age: undefined })).toBe('{"name":"Ada"}')
  for (const bad of ["{}", '{"name":1}', '{"name":"Ada","age":-1}', "[]"]) {
    expect(() => again.decode(bad)).toThrow(expect.objectContaining({ code: "CODEC.JSON_SCHEMA" }))
  }
  expect(() => again.decode('{"name":"Ada","age":-1}')).toThrow(/age: -1 is less than 0/)
})

test("without a JSON Schema, any document is taken", () => {
  expect(codecFrom({ codec: "json" }).decode('{"a":[1,null]}')).toEqual({ a: [1, null] })
})

test("recursive JSON Schemas work", () => {
  const tree = { type: "object", properties: { children: { type: "array", items: { $ref: "#" } } } }
  const made = codecFrom({ codec: "json", schema: tree })
  expect(made.decode('{"children":[{"children":[]}]}')).toEqual({ children: [{ children: [] }] })
  expect(() => made.decode('{"children":[{"children":1}]}')).toThrow(/children\.0\.children/)
})
