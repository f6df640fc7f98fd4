import { describe, expect, it } from "vitest"
import { mergeSchemas } from "./merge-schemas.ts"

const object = (properties: object, ...required: string[]) => ({ type: "object", properties, required })

describe("mergeSchemas", () => {
  it("takes whole numbers and fractions for numbers, and choices for texts", () => {
    expect(mergeSchemas([{ type: "integer" }, { type: "number" }])).toEqual({ type: "number" })
    expect(mergeSchemas([{ type: "string", enum: ["a"] }, { type: "string" }])).toEqual({ type: "string" })
  })

  it("requires only what both require", () => {
    const one = object({ qty: { type: "integer" }, price: { type: "integer" } }, "qty", "price")
    const other = object({ qty: { type: "integer" }, price: { type: "number" }, note: { type: "string" } }, "qty")
    expect(mergeSchemas([one, other])).toEqual(
      object({ qty: { type: "integer" }, price: { type: "number" }, note: { type: "string" } }, "qty"),
    )
  })

  it("merges items, and knows nothing of those that one array says nothing of", () => {
    const array = (items: object) => ({ type: "array", items })
    expect(mergeSchemas([array({ type: "integer" }), array({ type: "number" })])).toEqual(array({ type: "number" }))
    expect(mergeSchemas([array({}), array({ type: "string" })])).toEqual(array({}))
  })

  it("says nothing of what has nothing in common", () => {
    expect(mergeSchemas([{ type: "integer" }, { type: "string" }])).toEqual({})
    expect(mergeSchemas([{ type: "boolean" }, { anyOf: [{ type: "boolean" }, { type: "null" }] }])).toEqual({})
    expect(mergeSchemas([])).toEqual({})
  })
})
