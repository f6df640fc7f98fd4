import { expect, it } from "vitest"
import type { CodecSpec } from "../../schema/codec/codec-spec.ts"
import { print } from "./code.ts"
import { SourceNames } from "./source-codecs.ts"
import { libraries } from "./source-documents.ts"

const text = { codec: "text" } as const
const token = { codec: "id", name: "token", of: text } as const
const wide = {
  type: "object",
  properties: Object.fromEntries("abcdef".split("").map((name) => [name, { type: "string" }])),
}

it.each<[CodecSpec, string, constants?: string[]]>([
  [text, "text"],
  [{ codec: "value" }, "text"],
  [{ codec: "int", min: 0, max: 6 }, "int({ min: 0, max: 6 })"],
  [{ codec: "oneOf", values: ["a", 1] }, 'oneOf("a", 1)'],
  [{ codec: "optional", of: { codec: "secret", of: text } }, "optional(secret(text))"],
  [{ codec: "anyOf", codecs: [text, { codec: "day" }] }, "anyOf(text, day)"],
  [{ codec: "many", separator: ",", item: text }, "many(text)"],
  [{ codec: "many", separator: ",", item: text, length: 5 }, 'many(text, ",", { length: 5 })'],
  [{ codec: "many", separator: "|", item: text }, 'many(text, "|")'],
  [{ codec: "delimited", separator: ",", fields: { a: text } }, "csv({ a: text })"],
  [{ codec: "delimited", separator: "#", fields: { a: text } }, 'delimited("#", { a: text })'],
  [{ codec: "tagged", tags: { u_: token } }, "tagged({ u_: token })", ['token = id("token")']],
  [{ codec: "secret", of: token }, "token", ['token = secret(id("token"))']],
  [{ codec: "id", name: "map", of: { codec: "int" } }, "mapId", ['mapId = id("map", int)']],
  [{ codec: "id", name: "jackson", of: text }, "jacksonId", ['jacksonId = id("jackson")']],
  [{ codec: "id", name: "looseFlag", of: text }, "looseFlagId", ['looseFlagId = id("looseFlag")']],
  [
    { ...token, matching: "[a-z]/\\d", example: "a/1" },
    "token",
    ['token = id("token", { matching: /[a-z]\\/\\d/u, example: "a/1" })'],
  ],
  [{ codec: "json", schema: { type: "integer" } }, "json(z.int())"],
  [
    { codec: "json", schema: wide },
    "json(Cart)",
    [
      `Cart = z.object({ ${"abcdef"
        .split("")
        .map((name) => `${name}: z.string().optional()`)
        .join(", ")} })`,
    ],
  ],
])("row %#", (spec, code, constants = []) => {
  const names = new SourceNames(libraries.zod)
  expect(print(names.codec(spec, "cart"))).toBe(code)
  expect(
    [...names.constants].map(
      ([name, of]) =>
        `${name} = ${print(of, 0, 0)
          .replace(/\s*\n\s*/g, " ")
          .replace(", }", " }")}`,
    ),
  ).toEqual(constants)
})

it("names the same id once, and another id of that name otherwise", () => {
  const names = new SourceNames(libraries.zod)
  const used = [token, token, { codec: "secret", of: token } as const].map((spec) => names.codec(spec, "x"))
  expect(used).toEqual(["token", "token", "token2"])
  expect(names.idNamed("token")).toBe("token")
  expect(names.idNamed("user")).toBeUndefined()
})

it("leaves names to what has them already", () => {
  expect(new SourceNames(libraries.zod, ["token"]).codec(token, "x")).toBe("token2")
})

it("names the same document once", () => {
  const names = new SourceNames(libraries.zod)
  const spec: CodecSpec = { codec: "json", schema: wide }
  expect(print(names.codec(spec, "order"))).toBe("json(Order)")
  expect(print(names.codec(spec, "invoice"))).toBe("json(Order)")
  expect([...names.constants.keys()]).toEqual(["Order"])
})
