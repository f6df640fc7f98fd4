import { expect, test } from "vitest"
import * as z from "zod"
import { json } from "./json.ts"
import { countFields, flatFields } from "./json-flat.ts"

const plain = z.object({ id: z.string(), price: z.number(), kind: z.enum(["a", "b"]), note: z.string().nullable() })

test("a schema of plain fields that are all needed is known by their number", () => {
  expect(flatFields(plain)).toBe(4)
  expect(countFields({ a: 1, b: undefined })).toBe(2)
})

test("optional fields, fields with more in them, and fields that are read as others are looked at one by one", () => {
  expect(flatFields(plain.partial({ note: true }))).toBeUndefined()
  expect(flatFields(plain.extend({ tags: z.array(z.string()) }))).toBeUndefined()
  expect(flatFields(plain.extend({ at: z.unknown() }))).toBeUndefined()
  expect(flatFields(plain.transform(({ id }) => ({ id })))).toBeUndefined()
  expect(flatFields(z.string())).toBeUndefined()
})

test("a field more than the schema demands is kept", () => {
  const stored = { id: "1", price: 2, kind: "a", note: null, more: { x: [1] } }
  expect(json(plain).decode(JSON.stringify(stored))).toEqual(stored)
  expect(json(plain.partial({ note: true })).decode('{"id":"1","price":2,"kind":"a","more":3}')).toMatchObject({
    more: 3,
  })
})
