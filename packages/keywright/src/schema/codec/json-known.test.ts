import { type } from "arktype"
import fc from "fast-check"
import { expect, test } from "vitest"
import * as z from "zod"
import { json } from "./json.ts"
import { knowsAll } from "./json-known.ts"

const Line = z.object({ dish: z.string(), quantity: z.int() })
const Order = z.object({
  id: z.string(),
  kind: z.enum(["a", "b"]),
  note: z.string().optional(),
  price: z.number().nullable(),
  lines: z.array(Line),
  to: z.object({ street: z.string(), lines: z.array(Line).optional() }).nullable(),
})
const order = { id: "1", kind: "a", price: null, lines: [{ dish: "pho", quantity: 1 }], to: { street: "x" } } as const

test("a document with fields that the schema knows, in any order and at any depth, is known", () => {
  const isKnown = knowsAll(Order)!
  expect(isKnown(order)).toBe(true)
  expect(isKnown({ ...order, to: null, note: "n" })).toBe(true)
  expect(isKnown({ to: { lines: [], street: "x" }, lines: [], price: 1, kind: "b", id: "2" })).toBe(true)
})

test("one with others is not, wherever they are", () => {
  const isKnown = knowsAll(Order)!
  for (const more of [
    { ...order, more: 1 },
    { ...order, lines: [{ dish: "pho", quantity: 1, more: 1 }] },
    { ...order, to: { street: "x", more: 1 } },
    { ...order, to: { street: "x", lines: [{ dish: "pho", quantity: 1, more: 1 }] } },
    JSON.parse('{"id":"1","__proto__":{"x":1}}'),
  ])
    expect(isKnown(more)).toBe(false)
})

test("a schema that cannot say what it knows, or reads other fields than it takes, tells nothing", () => {
  for (const schema of [
    Order.extend({ at: z.unknown() }),
    Order.extend({ at: z.record(z.string(), z.number()) }),
    Order.extend({ at: z.union([Line, z.object({ other: z.string() })]) }),
    Order.extend({ at: z.tuple([Line]) }),
    Order.transform(({ id }) => ({ id })),
    Order.pipe(z.object({ id: z.string() }) as never),
    z.object({ lines: z.array(Line).transform((lines) => lines.length) }),
    z.string(),
  ])
    expect(knowsAll(schema)).toBeUndefined()
})

test("what the schema does not know survives, whatever it is and wherever", () => {
  const document = json(Order)
  const more = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3, noNullPrototype: true })
  fc.assert(
    fc.property(more, more, more, fc.boolean(), (a, b, c, isFirst) => {
      const line = { ...b, dish: "pho", quantity: 1 }
      const own = { ...order, lines: [line], to: { ...c, street: "x", lines: [line] } }
      const stored = isFirst ? { ...own, ...a, ...own } : { ...a, ...own }
      const raw = JSON.stringify(stored)
      expect(document.decode(raw)).toEqual(JSON.parse(raw))
      expect(document.encode(document.decode(raw))).toHaveLength(raw.length)
    }),
  )
})

test("other libraries are asked in the same way", () => {
  const Dish = type({ id: "string", "tags?": "string[]" })
  expect(json(Dish).decode('{"id":"1","tags":["a"],"more":2}')).toEqual({ id: "1", tags: ["a"], more: 2 })
})
