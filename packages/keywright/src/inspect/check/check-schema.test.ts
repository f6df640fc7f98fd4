import { describe, expect, it } from "vitest"
import * as z from "zod"
import {
  entity,
  hash,
  id,
  json,
  keyOf,
  keyspace,
  map,
  scope,
  sharded,
  secret,
  set,
  string,
  text,
  type Keyspace,
} from "../../index.ts"
import { failing, withRules } from "./check-finding.ts"
import { brokenSchema } from "./check-broken.ts"
import { checkSchema } from "./check-schema.ts"
import { soundsSecret } from "./check-secrets.ts"
import { sourceLines } from "./source-lines.ts"

const codesOf = (schema: unknown) => checkSchema(schema as Keyspace).map(({ code, name }) => `${code} ${name}`)
const doc = "Something."
const ttl = "never" as const

describe("check", () => {
  it("has nothing to say about a schema that decides and documents everything", () => {
    const good = keyspace({ page: string("cache:{hash}", text, { ttl: "5m", doc }) })
    expect(codesOf(good)).toEqual([])
  })

  it("finds TTLs that are undecided, and keys without a doc", () => {
    const open = keyspace({ page: string("cache:{hash}", text), other: set("all", text, { ttl, doc }) })
    expect(codesOf(open)).toEqual(["SCHEMA.TTL_UNDECIDED page", "SCHEMA.UNDOCUMENTED page"])
  })

  it("finds keys that are long, and patterns that mix separators or use another than most", () => {
    const odd = keyspace(
      {
        one: string("a:{x}", text, { doc }),
        two: string("b:{x}", text, { doc }),
        mixed: string("c:{x}-{y}", text, { doc }),
        other: string("d-{x}", text, { doc }),
        long: string(`${"very:".repeat(12)}{x}`, text, { doc }),
      },
      { ttl },
    )
    expect(checkSchema(odd as Keyspace).map(({ code, name, severity }) => `${severity} ${code} ${name}`)).toEqual([
      "warning SCHEMA.SEPARATORS mixed",
      "note SCHEMA.SEPARATORS other",
      "warning SCHEMA.KEY_LONG long",
    ])
  })

  it("finds names that are reserved and declared all the same, of entries and of fields", () => {
    const User = json(z.object({ id: z.string(), note: z.string() }))
    const back = keyspace(
      {
        cart: string("cart:{id}", text, { doc }),
        row: hash("row:{id}", { old: text }, { doc, reserved: ["old", "older"] }),
        user: entity("user:{id}", User, { doc, all: "user:all", reserved: ["note"] }),
      },
      { ttl, reserved: ["cart", "basket"] },
    )
    expect(checkSchema(back as Keyspace).map(({ code, message }) => `${code} ${message.split(" is ")[0]}`)).toEqual([
      "SCHEMA.RESERVED the entry cart",
      "SCHEMA.RESERVED the field old of row",
      "SCHEMA.RESERVED the field note of user",
    ])
  })

  it("finds what sounds secret and is not marked, in fields, segments, documents and values", () => {
    const User = z.object({ name: z.string(), password: z.string() })
    const leaky = keyspace(
      {
        session: hash("session:{token}", { apiKey: text, tokenCount: text }, { doc }),
        resetToken: string("reset:{user}", text, { doc }),
        safe: hash("safe:{ref}", { password: secret(text) }, { doc, params: { ref: secret(id("token")) } }),
        listed: string("user:{id}", json(User), { doc, secret: ["password"] }),
        unlisted: string("person:{id}", json(User), { doc }),
      },
      { ttl },
    )
    expect(checkSchema(leaky as Keyspace).map(({ code, message }) => `${code} ${message.split(" of ")[0]}`)).toEqual([
      "SCHEMA.SECRET_UNMARKED {token}",
      "SCHEMA.SECRET_UNMARKED apiKey",
      "SCHEMA.SECRET_UNMARKED value",
      "SCHEMA.SECRET_UNMARKED password",
    ])
  })

  it("finds keys with a secret part that are held as values which are not marked", () => {
    const held = keyOf({ session: "session:{token}" })
    const holding = keyspace(
      {
        session: string("session:{token}", text, { doc, params: { token: secret(id("token")) } }),
        open: set("open:{user}", held, { doc }),
        marked: set("marked:{user}", secret(held), { doc }),
        field: hash("field:{user}", { last: held, listed: held }, { doc, secret: ["listed"] }),
      },
      { ttl },
    )
    expect(checkSchema(holding as Keyspace).map(({ code, message }) => `${code} ${message.split(" is ")[0]}`)).toEqual([
      "SCHEMA.SECRET_UNMARKED member of open:{user}",
      "SCHEMA.SECRET_UNMARKED last of field:{user}",
    ])
  })

  it("knows names that speak of secrets from names that only mention them", () => {
    expect(
      ["password", "refreshToken", "api_key", "X-Api-Key", "clientSecret", "otp"].filter(soundsSecret),
    ).toHaveLength(6)
    expect(
      ["tokenCount", "tokenType", "passwordChangedAt", "keyboard", "monkey", "author"].filter(soundsSecret),
    ).toEqual([])
  })

  it("finds keyOf patterns that no key declares", () => {
    const schema = keyspace(
      {
        service: scope("P:{project}:", { access: string("AccTok:{ref}", text, { doc }) }),
        good: map("good", text, keyOf({ access: "P:{p}:AccTok:{ref}" }), { doc }),
        stray: map("stray", text, keyOf({ access: "AccTok:{ref}" }), { doc }),
      },
      { ttl },
    )
    expect(codesOf(schema)).toEqual(["SCHEMA.KEY_OF stray"])
  })

  it("knows that keyOf in a shard is written without the tag of the shard", () => {
    const tokens = (pattern: "AccTok:{ref}" | "RefTok:{ref}") =>
      keyspace(
        {
          people: sharded(4, "ref", {
            access: string("AccTok:{ref}", text, { doc }),
            keys: map("TokensKeys", text, keyOf({ access: pattern }), { doc }),
          }),
        },
        { ttl, params: { ref: text } },
      )
    expect(codesOf(tokens("AccTok:{ref}"))).toEqual([])
    expect(codesOf(tokens("RefTok:{ref}"))).toEqual(["SCHEMA.KEY_OF people.keys"])
  })

  it("takes findings as the levels say", () => {
    const found = checkSchema(keyspace({ page: string("cache:{hash}", text, { doc }) }) as Keyspace)
    expect(failing(found)).toBe(true)
    expect(failing(withRules(found, { "SCHEMA.TTL_UNDECIDED": "note" }))).toBe(false)
    expect(withRules(found, { "SCHEMA.TTL_UNDECIDED": "off" })).toEqual([])
  })
})

describe("the place of a declaration", () => {
  const source = {
    file: "schema.ts",
    text: [
      "export const shop = keyspace({",
      '  // "cache:{hash}" is not here',
      '  page: string("cache:{hash}", text),',
      '  service: scope("P:{project}:", {',
      '    one: set("St:{user}", text),',
      '    two: scope("x:", { one: set("St:{user}", text) }),',
      "  }),",
      "})",
    ].join("\n"),
  }
  const shop = keyspace({
    page: string("cache:{hash}", text),
    service: scope("P:{project}:", {
      one: set("St:{user}", text),
      two: scope("x:", { one: set("St:{user}", text) }),
    }),
  })

  it("is the line of its pattern, as it is spelled inside of its group", () => {
    const line = sourceLines(shop as Keyspace, [source])
    const at = (name: string) => line(shop.keys.find((key) => key.name === name)!)
    expect(at("page")).toEqual({ file: "schema.ts", line: 3 })
    expect(at("service.one")?.line).toBe(5)
  })

  it("is found for a schema that was refused, by the patterns that the refusal quotes", () => {
    const refused = {
      code: "KEYSPACE.AMBIGUOUS",
      message: '"P:{project}:St:{user}" and "x" can both be P:1:St:1',
      key: "P:1:St:1",
    }
    expect(brokenSchema(refused, [source])).toMatchObject({
      code: "KEYSPACE.AMBIGUOUS",
      severity: "error",
      why: 'Both patterns can spell "P:1:St:1".',
      at: { line: 5 },
    })
    expect(brokenSchema({ code: "CLI.FILE_MISSING", message: "x" }, [])).toBeUndefined()
  })
})
