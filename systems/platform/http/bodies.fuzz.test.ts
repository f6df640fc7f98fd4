/* Bodies that nobody means, sent to every route of every system that takes one. Whatever
 * comes, the answer is one of the documented ones, in bounds, and the server stays up. A
 * case that was found is a row of `found`. */

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isFull } from "../../../test/full.ts"
import { catalog } from "../../catalog.ts"
import { numbersFrom } from "../random.ts"
import { ADMIN, send, serveForTest, type Served } from "../testing/serve.ts"

const ROUNDS = isFull ? 200 : 4
const MOST_BYTES = 16_384

interface Operation {
  readonly requestBody?: { readonly content: Record<string, { readonly schema: JsonSchema }> }
}
interface JsonSchema {
  readonly properties?: Readonly<Record<string, unknown>>
}

let served: Served
let routes: { request: string; fields: string[] }[]
beforeAll(async () => {
  served = await serveForTest(
    { redis: undefined, engine: undefined },
    Object.keys(catalog).join(),
    ...["--set", "shop.openLogin=true", "--set", "restaurant.registrationsPerMinute=1000000"],
  )
  const { body } = await send(served.url, "GET /openapi.json")
  const { paths } = body as { paths: Record<string, Record<string, Operation>> }
  routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      if (requestBody === undefined) return []
      const fields = Object.keys(requestBody.content["application/json"]?.schema.properties ?? {})
      return [{ request: `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "1")}`, fields }]
    }),
  )
})
afterAll(() => served.close())

/** Every answer is JSON in the one shape, or a success; none is a failure of the server, and none repeats what came. */
async function survives(request: string, body: string | Buffer): Promise<void> {
  const [method = "", path = ""] = request.split(" ")
  const headers = { "content-type": "application/json", authorization: `Bearer ${ADMIN}` }
  const answer = await fetch(served.url + path, { method, headers, body: body as never })
  const text = await answer.text()
  const what = `${request} ${body.toString().slice(0, 300)} → ${answer.status} ${text.slice(0, 300)}`
  expect(answer.status, what).toBeLessThan(500)
  expect(text.length, what).toBeLessThan(MOST_BYTES)
  if (answer.status < 400) return
  expect(Object.keys(JSON.parse(text) as object), what).toEqual(expect.arrayContaining(["error", "message"]))
  expect(text, what).not.toMatch(/node_modules|\.ts:\d|at \w+ \(/)
}

/** What has been found, and what is known to hurt elsewhere. */
const found: readonly (readonly [what: string, body: string | Buffer])[] = [
  ["nothing", ""],
  ["a null", "null"],
  ["a number beyond all", '{"quantity":1e999,"delay":-1e999,"price":1e309}'],
  ["a fraction that is not one", '{"quantity":1.0000000000000001,"duration":-0}'],
  ["a list instead", "[[[]]]"],
  ["the same field twice", '{"user":"a","user":"b","user":{}}'],
  ["a prototype", '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}'],
  ["a hidden prototype", '{"\\u005f_proto__":{"x":1}}'],
  ["half a surrogate", '{"user":"\\ud800","item":"\\udfff","email":"\\ud800@a.b"}'],
  ["bytes that are not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ["an overlong zero", Buffer.from([0x22, 0xc0, 0x80, 0x22])],
  ["depth", "[".repeat(100_000) + "]".repeat(100_000)],
  ["depth in an object", '{"a":'.repeat(20_000) + "1" + "}".repeat(20_000)],
  [
    "a megabyte of unknown fields",
    JSON.stringify(Object.fromEntries(Array.from({ length: 80_000 }, (_, i) => [`f${i}`, 1]))),
  ],
  ["an unknown field with a name of a megabyte", JSON.stringify({ ["x".repeat(1_000_000)]: 1 })],
  [
    "fewer unknown fields with long names",
    JSON.stringify(Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`${i}`.padEnd(1000, "x"), 1]))),
  ],
  ["more than a megabyte", `"${"x".repeat(1_100_000)}"`],
  ["a text of zeros", JSON.stringify({ user: "\0".repeat(1000), item: "\0", sql: "\0", text: "\0" })],
]

describe("bodies that were found", () => {
  it.each(found.map(([what, body], row) => [what, body, row] as const))("%s", async (_, body, row) => {
    const step = isFull ? 1 : body.length > 100_000 ? 20 : 4
    for (const [i, { request }] of routes.entries()) if ((i + row) % step === 0) await survives(request, body)
  })
})

describe("bodies by chance", () => {
  it(`survives ${ROUNDS} rounds over every route`, async () => {
    const seed = isFull ? Date.now() % 2 ** 31 : 7
    const random = numbersFrom(seed)
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
    const texts = [
      "",
      " ",
      "a",
      "1",
      "-1",
      "null",
      "true",
      "{}",
      "list",
      ":",
      "a:b",
      "*",
      "\u202e",
      "é",
      "😀",
      "x".repeat(300),
      "a@b",
      "<b>",
      "${x}",
      "%00",
      "../..",
      "2024-02-30",
      "1e9",
      "0x10",
    ]
    const value = (depth: number): unknown => {
      const kind = Math.floor(random() * 9)
      if (kind === 0) return null
      if (kind === 1) return pick([0, 1, -1, 1.5, 2 ** 53, -(2 ** 53), 1e21, 999_999_999_999])
      if (kind === 2) return random() < 0.5
      if (kind === 3 && depth > 0) return Array.from({ length: Math.floor(random() * 4) }, () => value(depth - 1))
      if (kind === 4 && depth > 0) return { [pick(texts)]: value(depth - 1) }
      return pick(texts)
    }
    /** Some of the fields that the route knows, now and then another one; sometimes with a piece of the text broken. */
    const body = (fields: readonly string[]): string => {
      const given = Object.fromEntries(fields.filter(() => random() < 0.8).map((name) => [name, value(2)]))
      if (random() < 0.2) given[pick(["id", "x", "constructor", "toString", ""])] = value(1)
      const text = JSON.stringify(random() < 0.05 ? value(3) : given)
      if (random() >= 0.15) return text
      const at = Math.floor(random() * text.length)
      return (
        text.slice(0, at) +
        pick(['"', "\\", "{", "]", "\u0000", "\ud800", ",", "1e400"]) +
        text.slice(at + Math.floor(random() * 3))
      )
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const { request, fields } of routes) await survives(request, body(fields))
    }
    expect((await send(served.url, "GET /health")).status, `seed ${seed}`).toBe(200)
  })
})
