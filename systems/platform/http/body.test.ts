import type { IncomingMessage } from "node:http"
import { PassThrough } from "node:stream"
import { setImmediate } from "node:timers/promises"
import { expect, it } from "vitest"
import { IncomingBody, parseBody } from "./body.ts"

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

it("takes 1000 fields, and lists of 200,000 elements", () => {
  expect(parsed(many(1000))).toEqual(many(1000))
  expect(parsed({ a: Array.from({ length: 200_000 }, () => 1) })).toMatchObject({ a: { length: 200_000 } })
})

it("refuses more than 200,000 elements of lists", () => {
  const list = Array.from({ length: 100_002 }, () => 1)
  expect(() => parsed({ a: list, b: [list] })).toThrow("more than 200000 elements")
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

it.each([
  ["objects", () => "{}", 1],
  ["lists", () => "[]", 1],
  ["lists in lists", () => "[[[[[]]]]]", 5],
  ["objects with fields of their own", (i: number) => `{ "f${i}" : [] }`, 3],
])("refuses more than 10,000 objects, lists and fields: %s", (_, one, parts) => {
  const body = (count: number) => Buffer.from(`[${Array.from({ length: count }, (_, i) => one(i)).join(",")}]`)
  const most = Math.floor(9999 / parts)
  expect(parseBody(body(most), false)).toHaveLength(most)
  expect(() => parseBody(body(most + 1), false)).toThrow("more than 10000 objects, lists and fields")
})

it("takes any number of their characters in texts, also behind escapes", () => {
  const body = { a: "[{:,,,,,,,,,,,".repeat(20_000), b: `"[\\`.repeat(20_000), "[{:": "\\" }
  expect(parsed(body)).toEqual(body)
})

it("reads large ones one after another, and others come in between", async () => {
  const order: string[] = []
  const arrives = async () => {
    const headers = { "content-type": "application/json", "content-length": "20000" }
    const incoming = Object.assign(new PassThrough(), { headers }) as unknown as IncomingMessage & PassThrough
    incoming.end(" ".repeat(20_000))
    const bytes = await new IncomingBody(incoming, 100_000).bytes()
    order.push(`${bytes.length} bytes`)
  }
  const all = Promise.all([arrives(), arrives(), arrives()])
  while (order.filter((one) => one !== "others").length < 3) {
    await setImmediate()
    order.push("others")
  }
  await all
  const turns = order.join().split(/(?:others,?)+/)
  expect(turns.filter((turn) => turn !== "")).toEqual(["20000 bytes,", "20000 bytes,", "20000 bytes,"])
})
