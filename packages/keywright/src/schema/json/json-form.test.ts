import { readFileSync } from "node:fs"
import { expect, describe, test } from "vitest"
import { KeywrightError } from "../../errors/error.ts"
import type { CodecSpec } from "../codec/codec-spec.ts"
import { keyspace } from "../keyspace.ts"
import { codecFrom } from "./codec-from-spec.ts"
import { fingerprint } from "./fingerprint.ts"
import { formSchema } from "./form.ts"
import { fromJson } from "./from-json.ts"
import { jsonSchemaCheck } from "./json-schema-codec.ts"
import { keyspaces, shop } from "./keyspaces.cases.ts"
import { mutations } from "./mutations.cases.ts"
import { toJson } from "./to-json.ts"
import { string } from "../define.ts"
import { text } from "../codec/text.ts"

const published = JSON.parse(readFileSync(new URL("../../../keyspace.schema.json", import.meta.url), "utf8"))
const fits = jsonSchemaCheck(published)
const parsed = (data: unknown): never => JSON.parse(JSON.stringify(data)) as never
const code = (run: () => unknown): string => {
  try {
    run()
    return "nothing thrown"
  } catch (error) {
    return error instanceof KeywrightError ? error.code : String(error)
  }
}

describe.each(Object.entries(keyspaces))("%s", (_, original) => {
  const form = toJson(original)
  const again = fromJson(parsed(form))

  test("comes back from JSON with the same JSON, letter by letter", () => {
    expect(JSON.stringify(toJson(again))).toBe(JSON.stringify(form))
  })

  test("comes back with the same keys", () => {
    expect(parsed(again.keys)).toEqual(parsed(original.keys))
    expect(again.keys.map(({ name }) => name)).toEqual(original.keys.map(({ name }) => name))
  })

  test("comes back with the same fingerprint, relations and invariants", () => {
    expect(fingerprint(again)).toBe(fingerprint(original))
    expect(again.relations).toEqual(original.relations)
    expect(parsed(again.invariants)).toEqual(parsed(original.invariants))
  })

  test("has a form that fits the published JSON Schema", () => {
    expect(fits(form)).toEqual({ value: form })
  })

  test("names where the schema is published", () => {
    expect(form.$schema).toBe(formSchema)
    expect(published.$id).toBe(formSchema)
  })
})

describe("a document that was changed", () => {
  const forms = Object.fromEntries(Object.entries(keyspaces).map(([name, of]) => [name, toJson(of)]))

  test.each(mutations)("$why: $code", ({ change, code: expected, path, schema = true }) => {
    const data = parsed(forms)
    change(data)
    const of = Object.values(data as Record<string, unknown>).find(
      (form, i) => JSON.stringify(form) !== JSON.stringify(Object.values(forms)[i]),
    )
    expect(() => fromJson(of)).toThrow(
      expect.objectContaining({ code: expected, fix: expect.any(String), details: expect.objectContaining({ path }) }),
    )
    expect("issues" in fits(of)).toBe(schema)
  })
})

describe("documents from nowhere", () => {
  test.each([null, undefined, 1, "text", [], true])("%j is not a keyspace", (data) => {
    expect(code(() => fromJson(data))).toBe("JSON_FORM.TYPE")
  })

  test("another version is refused before anything else is read", () => {
    expect(code(() => fromJson({ version: 2, more: 1 }))).toBe("JSON_FORM.VERSION")
    expect(code(() => fromJson({ entries: {} }))).toBe("JSON_FORM.MISSING")
  })

  test("names such as __proto__ are refused, and nothing is polluted", () => {
    const hostile = (entry: string) => JSON.parse(`{"version":1,"entries":{${entry}}}`)
    const key = '{"kind":"string","pattern":"a:{x}","shape":{"value":{"codec":"text"}}'
    expect(code(() => fromJson(hostile(`"__proto__":${key}}`)))).toBe("KEYSPACE.ENTRY")
    expect(code(() => fromJson(hostile(`"a":${key},"params":{"__proto__":{"codec":"text"}}}`)))).toBe(
      "DEFINE.UNKNOWN_PARAM",
    )
    expect(code(() => fromJson(hostile(`"a":${key},"__proto__":{"ttl":"1s"}}`)))).toBe("JSON_FORM.UNKNOWN")
    expect(code(() => fromJson(hostile(`"a":{"kind":"__proto__","pattern":"a"}`)))).toBe("JSON_FORM.UNKNOWN")
    expect(
      code(() => fromJson(hostile(`"a":{"kind":"string","pattern":"a","shape":{"value":{"codec":"toString"}}}`))),
    ).toBe("JSON_FORM.UNKNOWN")
    expect(code(() => fromJson(JSON.parse('{"version":1,"entries":{},"relations":{"__proto__":{}}}')))).toBe(
      "KEYSPACE.ENTRY",
    )
    expect(({} as { ttl?: unknown }).ttl).toBeUndefined()
  })

  test("hash fields may be called __proto__", () => {
    const made = fromJson(
      JSON.parse(
        '{"version":1,"entries":{"a":{"kind":"hash","pattern":"a","shape":{"fields":{"__proto__":{"codec":"int"}}}}}}',
      ),
    )
    expect(Object.keys(made.keys[0]!.shape["fields"] as object)).toEqual(["__proto__"])
    expect(JSON.stringify(toJson(made))).toContain('"fields":{"__proto__":{"codec":"int"}}')
  })

  test("depth is bounded, for groups, codecs and cycles", () => {
    let codec: CodecSpec = { codec: "text" }
    for (let i = 0; i < 5000; i++) codec = { codec: "secret", of: codec }
    expect(code(() => codecFrom(codec))).toBe("JSON_FORM.TOO_LARGE")
    const group: Record<string, unknown> = { group: "scope", prefix: "a" }
    group["entries"] = { a: group }
    expect(code(() => fromJson({ version: 1, entries: { group } }))).toBe("JSON_FORM.TOO_LARGE")
  })

  test("size is bounded: texts, patterns, names and keys", () => {
    const of = (entry: object) => ({ version: 1, entries: { entry } })
    const key = (pattern: string) => ({ kind: "bitmap", pattern })
    const many = (count: number, make: (i: number) => object) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`e${i}`, make(i)]))
    expect(code(() => fromJson(of(key("x".repeat(1001)))))).toBe("JSON_FORM.TOO_LARGE")
    expect(code(() => fromJson(of({ ...key("x"), doc: "x".repeat(10_001) })))).toBe("JSON_FORM.TOO_LARGE")
    expect(code(() => fromJson({ version: 1, entries: many(10_001, () => ({})) }))).toBe("JSON_FORM.TOO_LARGE")
    const scopes = many(11, (s) => ({ group: "scope", prefix: `${s}:`, entries: many(1000, (i) => key(`k${i}`)) }))
    expect(code(() => fromJson({ version: 1, entries: scopes }))).toBe("JSON_FORM.TOO_LARGE")
  })

  test("contradictions between entries keep the codes of keyspace()", () => {
    const key = (pattern: string) => ({ kind: "bitmap", pattern })
    expect(code(() => fromJson({ version: 1, entries: { a: key("a:{x}"), b: key("a:{y}") } }))).toBe(
      "KEYSPACE.AMBIGUOUS",
    )
    expect(code(() => fromJson({ version: 1, entries: { a: key("a:{x") } }))).toBe("PATTERN.BRACES")
    expect(code(() => fromJson({ version: 1, entries: {}, invariants: [{ kind: "inverse", keys: ["a", "b"] }] }))).toBe(
      "KEYSPACE.REFERENCE",
    )
  })
})

test("a codec that is not Keywright's has no JSON form", () => {
  const own = { ...text, spec: { codec: "rot13" } as never }
  expect(() => toJson(keyspace({ a: string("a", own) }))).toThrow(
    expect.objectContaining({ code: "JSON_FORM.CUSTOM_CODEC", details: { path: "$.entries.a.shape.value" } }),
  )
})

test("the form is the caller's own: changing it changes no keyspace", () => {
  const before = JSON.stringify(toJson(shop))
  const form = toJson(shop) as { entries: Record<string, { shape: Record<string, { codec: string }> }> }
  form.entries["cart"]!.shape["value"]!.codec = "text"
  expect(JSON.stringify(toJson(shop))).toBe(before)
})
