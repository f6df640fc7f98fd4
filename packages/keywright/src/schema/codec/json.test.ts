import { type } from "arktype"
import * as v from "valibot"
import { describe, expect, test } from "vitest"
import * as z from "zod"
import type { Codec } from "./codec.ts"
import { json } from "./json.ts"

interface Order {
  id: string
  lines: { dish: string }[]
  address: { city: string }
}

const libraries: [string, Codec<Order>][] = [
  [
    "zod",
    json(
      z.object({
        id: z.string(),
        lines: z.array(z.object({ dish: z.string() })),
        address: z.object({ city: z.string() }),
      }),
    ),
  ],
  [
    "valibot",
    json(
      v.object({
        id: v.string(),
        lines: v.array(v.object({ dish: v.string() })),
        address: v.object({ city: v.string() }),
      }),
    ),
  ],
  ["arktype", json(type({ id: "string", lines: type({ dish: "string" }).array(), address: { city: "string" } }))],
  [
    "arktype that deletes",
    json(
      type({
        "+": "delete",
        id: "string",
        lines: type({ "+": "delete", dish: "string" }).array(),
        address: { "+": "delete", city: "string" },
      }),
    ),
  ],
  [
    "zod that freezes",
    json(
      z
        .object({
          id: z.string(),
          lines: z.array(z.object({ dish: z.string() }).readonly()).readonly(),
          address: z.object({ city: z.string() }).readonly(),
        })
        .readonly(),
    ) as unknown as Codec<Order>,
  ],
]

describe.each(libraries)("%s", (_, order) => {
  const stored = {
    id: "1",
    lines: [
      { dish: "soup", size: { cm: 20 } },
      { dish: "rice", size: null },
    ],
    address: { city: "Hue", zip: ["49"] },
    version: 2,
  }

  test("keeps unknown fields through a load and a save, at every depth", () => {
    const loaded = order.decode(JSON.stringify(stored))
    expect(JSON.parse(order.encode({ ...loaded, id: "2" }))).toEqual({ ...stored, id: "2" })
    expect(JSON.parse(order.encode(loaded))).toEqual(stored)
  })

  test("keeps a field that is called __proto__, and lets it pollute nothing", () => {
    const raw =
      '{"id":"1","lines":[{"dish":"soup","__proto__":{"x":1}}],"address":{"city":"Hue"},"__proto__":{"admin":true}}'
    const loaded = order.decode(raw)
    expect(order.encode(loaded)).toContain('"__proto__":{"admin":true}')
    expect(order.encode(loaded)).toContain('"__proto__":{"x":1}')
    expect((loaded as { admin?: boolean }).admin).toBeUndefined()
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
    expect(Object.getPrototypeOf(loaded)).toBe(Object.prototype)
  })

  test("says where a document does not fit, in the code's own words", () => {
    expect(() => order.decode('{"id":"1","lines":[{"dish":1}],"address":{"city":"Hue"}}')).toThrow(
      expect.objectContaining({ code: "CODEC.JSON_SCHEMA", message: expect.stringContaining("lines.0.dish") }),
    )
  })
})

test("frozen results stay frozen when unknown fields are put back", () => {
  const frozen = json(z.object({ a: z.object({ b: z.string() }).readonly() }).readonly())
  const loaded = frozen.decode('{"a":{"b":"x","c":1},"d":2}')
  expect(loaded).toEqual({ a: { b: "x", c: 1 }, d: 2 })
  expect(Object.isFrozen(loaded) && Object.isFrozen(loaded.a)).toBe(true)
})

describe("transforms and defaults", () => {
  test("run when a document is read; what is stored is what was handed over", () => {
    const page = json(z.object({ views: z.number().default(0), at: z.coerce.date() }))
    const raw = page.encode({ at: new Date("2011-10-03") })
    expect(raw).toBe('{"at":"2011-10-03T00:00:00.000Z"}')
    expect(page.decode(raw)).toEqual({ views: 0, at: new Date("2011-10-03") })
  })

  test("what would be stored as something that cannot be read is refused when it is written", () => {
    const code = expect.objectContaining({ code: "CODEC.JSON_SCHEMA" })
    expect(() => json(z.object({ at: z.date() })).encode({ at: new Date() })).toThrow(code)
  })
})

describe("what JSON cannot hold", () => {
  const any = json(z.any())
  const cycle: Record<string, unknown> = {}
  cycle["self"] = cycle
  class Point {
    x = 1
  }
  test.each([
    ["NaN", { a: Number.NaN }],
    ["Infinity", [Infinity]],
    ["a bigint", { a: 1n }],
    ["undefined", undefined],
    ["undefined in an array", [undefined]],
    ["a function", { a: () => 1 }],
    ["a symbol", { a: Symbol("a") }],
    ["a Map", { a: new Map([[1, 2]]) }],
    ["an object of a class", { a: new Point() }],
    ["a cycle", cycle],
  ])("%s is refused", (_, value) => {
    expect(() => any.encode(value)).toThrow(expect.objectContaining({ code: "CODEC.JSON" }))
  })

  test.each([
    ["an absent field spelled undefined", { a: undefined }, "{}"],
    ["an object without a prototype", Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    ["what brings its own toJSON", { a: new URL("http://a/") }, '{"a":"http://a/"}'],
    ["−0", [-0], "[0]"],
  ])("%s is taken", (_, value, raw) => {
    expect(any.encode(value)).toBe(raw)
  })
})

test("what a validator throws is a refusal that does not quote it", () => {
  const failing = json({
    "~standard": {
      version: 1,
      vendor: "test",
      validate: (value) => {
        throw new RangeError(String(value))
      },
    },
  })
  const refusal = { code: "CODEC.JSON_SCHEMA", message: expect.not.stringContaining("CANARY") }
  expect(() => failing.decode('"CANARY"')).toThrow(expect.objectContaining(refusal))
  expect(() => failing.encode("CANARY")).toThrow(expect.objectContaining(refusal))
})

describe("schemas that validate asynchronously", () => {
  const slow = z.string().refine(async () => true)
  const failing = v.pipeAsync(
    v.string(),
    v.checkAsync(() => Promise.reject(new Error("late"))),
  )
  test.each([
    ["zod", json(slow)],
    ["valibot that fails later, when nobody waits any more", json(failing as never)],
    [
      "valibot",
      json(
        v.pipeAsync(
          v.string(),
          v.checkAsync(async () => true),
        ) as never,
      ),
    ],
  ])("are refused: %s", (_, codec) => {
    const code = expect.objectContaining({ code: "CODEC.ASYNC", why: expect.any(String), fix: expect.any(String) })
    expect(() => codec.encode("a" as never)).toThrow(code)
    expect(() => codec.decode('"a"')).toThrow(code)
  })
})

test("a library's JSON Schema is in the spec, as the codec's own copy", () => {
  const { spec } = json(z.object({ a: z.string() }))
  expect(spec).toMatchObject({ codec: "json", vendor: "zod", schema: { properties: { a: { type: "string" } } } })
  expect(json(z.date()).spec).toEqual({ codec: "json", vendor: "zod" })
  expect(json(v.object({})).spec).toEqual({ codec: "json", vendor: "valibot" })
})

test("an already parsed document is read and accepted like its text", () => {
  const { document } = json(z.object({ a: z.number().default(1) }))
  expect(document!.read({ b: 2 })).toEqual({ a: 1, b: 2 })
  expect(document!.accept({ b: 2 })).toEqual({ raw: '{"b":2}', read: { a: 1, b: 2 } })
  expect(() => document!.accept({ a: "x" })).toThrow(expect.objectContaining({ code: "CODEC.JSON_SCHEMA" }))
})
