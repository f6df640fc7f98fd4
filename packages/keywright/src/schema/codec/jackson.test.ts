/* What Java really wrote (Jackson 2.14; typings as Spring Data Redis 3, NON_FINAL and EVERYTHING
 * have them), and what is read and written here. */

import { describe, expect, it } from "vitest"
import * as z from "zod"
import { codecFrom, fingerprint, fromJson, keyspace, string, toJson } from "../../index.ts"
import { jackson } from "./jackson.ts"
import { javaDouble } from "./jackson-write.ts"

const Line = z.object({ name: z.string(), quantity: z.int(), price: z.number() })
const Order = z.object({
  id: z.string(),
  quantity: z.int(),
  total: z.number(),
  exact: z.string(),
  status: z.enum(["PENDING", "PAID"]),
  available: z.boolean(),
  none: z.string().nullish(),
  createdAt: z.iso.datetime(),
  tags: z.array(z.string()),
  lines: z.array(Line),
  states: z.array(z.string()),
  line: Line,
  decimals: z.array(z.number()),
})
const codec = jackson(Order, {
  type: "com.shop.Order",
  fields: {
    exact: "java.math.BigDecimal",
    lines: "com.shop.Line[]",
    line: "com.shop.Line",
    states: "java.util.LinkedHashSet",
    decimals: "java.math.BigDecimal[]",
  },
})

const line = { name: "pho", quantity: 2, price: 50_000 }
const order = {
  id: "7",
  quantity: 3,
  total: 150_000,
  exact: "12.50",
  status: "PAID" as const,
  available: true,
  none: null,
  createdAt: "2024-05-01T10:00:00.123456Z",
  tags: ["a", "b"],
  lines: [line],
  states: ["PAID"],
  line,
  decimals: [1.1],
}
const typedLine = '{"@class":"com.shop.Line","name":"pho","quantity":2,"price":50000.0}'
const written =
  '{"@class":"com.shop.Order","id":"7","quantity":3,"total":150000.0,"exact":["java.math.BigDecimal",12.50],"status":"PAID",' +
  '"available":true,"none":null,"createdAt":"2024-05-01T10:00:00.123456Z","tags":["java.util.ArrayList",["a","b"]],' +
  `"lines":["java.util.ArrayList",[${typedLine}]],"states":["java.util.LinkedHashSet",["PAID"]],"line":${typedLine},` +
  '"decimals":["java.util.ArrayList",[["java.math.BigDecimal",1.1]]]}'

describe("documents as Jackson writes them", () => {
  it("are written as Spring Data Redis 3 does, and read again", () => {
    expect(codec.encode(order)).toBe(written)
    expect(codec.decode(written)).toEqual(order)
  })

  it("are read in the other forms: plain, and with every value typed", () => {
    expect(codec.decode(JSON.stringify(order))).toEqual(order)
    const every = written
      .replace('"status":"PAID"', '"status":["com.shop.Status","PAID"]')
      .replace('"2024-05-01T10:00:00.123456Z"', '["java.time.Instant",1714557600.123456000]')
      .replace('["java.util.LinkedHashSet",["PAID"]]', '["java.util.LinkedHashSet",[["com.shop.Status","PAID"]]]')
    expect(codec.decode(every)).toEqual(order)
    const seconds = written.replace('"2024-05-01T10:00:00.123456Z"', "1714557600.123456")
    expect(codec.decode(seconds)).toEqual(order)
    const date = written.replace('"2024-05-01T10:00:00.123456Z"', '["java.util.Date",1714557600123]')
    expect(codec.decode(date).createdAt).toBe("2024-05-01T10:00:00.123Z")
  })

  it("a list of two texts is one, whatever they read like", () => {
    const two = { ...order, tags: ["java.lang.String", "x"] }
    expect(codec.decode(codec.encode(two))).toEqual(two)
    expect(codec.decode(written.replace('["java.util.ArrayList",["a","b"]]', '["a.b","c"]')).tags).toEqual(["a.b", "c"])
  })

  it("decimals keep their digits, and a text that reads like one stays a text", () => {
    const exact = "12345678901234567890.123456789000"
    expect(codec.decode(codec.encode({ ...order, exact })).exact).toBe(exact)
    const odd = '["java.math.BigDecimal",1]'
    expect(codec.decode(codec.encode({ ...order, id: odd })).id).toBe(odd)
  })

  it("fields that the schema does not know come back as they were, with their classes", () => {
    const more = written.replace(
      /\}$/,
      ',"more":["java.util.TreeSet",[["com.x.Y",1],["java.math.BigDecimal",1.50]]],"sub":{"@class":"com.x.Z","n":1}}',
    )
    expect(codec.encode(codec.decode(more))).toBe(more)
  })

  it.each([
    [150_000, "150000.0"],
    [0.5, "0.5"],
    [-0, "-0.0"],
    [9_999_999, "9999999.0"],
    [10_000_000, "1.0E7"],
    [123_456_789.5, "1.234567895E8"],
    [0.001, "0.001"],
    [0.0001, "1.0E-4"],
    [-2.5e-7, "-2.5E-7"],
  ])("the double %d is printed as Java prints it", (value, text) => expect(javaDouble(value)).toBe(text))

  it("refuses what is not a class, and values that the schema refuses", () => {
    expect(() => jackson(Order, { type: 'x"y' })).toThrow(/Java class/)
    expect(() => jackson(Order, { type: "com.shop.Order", fields: { lines: "a b" } })).toThrow(/Java class/)
    expect(() => codec.encode({ ...order, quantity: 1.5 })).toThrow()
    expect(() => codec.decode(written.replace('"quantity":3', '"quantity":"3"'))).toThrow()
  })

  it("has a JSON form, and another fingerprint than plain JSON", () => {
    const schema = keyspace({ order: string("order:{id}", codec, { ttl: "never" }) })
    const again = fromJson(toJson(schema))
    expect(again.keys[0]!.shape["value"]).toMatchObject({ name: "jackson", spec: codec.spec })
    expect(fingerprint(again)).toBe(fingerprint(schema))
    const made = codecFrom(codec.spec)
    expect(made.encode(order)).toBe(written)
    expect(made.decode(written)).toEqual(order)
  })
})
