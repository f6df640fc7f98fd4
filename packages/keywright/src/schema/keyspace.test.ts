import { describe, expect, test } from "vitest"
import {
  compactDay,
  counter,
  database,
  day,
  drain,
  entity,
  flag,
  id,
  int,
  json,
  keyspace,
  month,
  oneOf,
  scope,
  set,
  step,
  string,
  text,
  zset,
} from "../index.ts"
import { keyspaces } from "./json/keyspaces.cases.ts"
import { keyFormat } from "./key-format.ts"
import * as z from "zod"

const keys = (one: [string, object?], other: [string, object?]) => () =>
  keyspace({
    one: string(one[0] as "a:{x}", text, { params: one[1] as never }),
    other: string(other[0] as "a:{x}", text, { params: other[1] as never }),
  })

describe("which pattern owns a key", () => {
  test.each<[string, [string, object?], [string, object?]]>([
    ["the same pattern twice", ["a:{x}"], ["a:{x}"]],
    ["parameters of other names", ["a:{x}"], ["a:{y}"]],
    ["literals on both sides", ["{x}:b"], ["a:{y}"]],
    ["the same literal", ["a"], ["a"]],
    ["a number and a text", ["a:{x}", { x: int }], ["a:{y}"]],
    ["two kinds of number", ["a:{x}", { x: int }], ["a:{y}", { y: flag }]],
    ["choices in common", ["a:{x}", { x: oneOf("p", "q") }], ["a:{y}", { y: oneOf("q", "r") }]],
    ["hash tags", ["{{x}}:a"], ["{{y}}:a"]],
    ["a day without dashes and a number", ["a:{x}", { x: compactDay }], ["a:{y}", { y: int }]],
  ])("is ambiguous with %s: an error with a key that both can spell", (_, one, other) => {
    let found: { code?: string; key?: string; fix?: string } = {}
    try {
      keys(one, other)()
    } catch (error) {
      found = error as typeof found
    }
    expect(found).toMatchObject({ code: "KEYSPACE.AMBIGUOUS", fix: expect.any(String) })
    for (const [pattern, params] of [one, other]) {
      expect(keyFormat(pattern, params as never).parse(found.key!), `${pattern} spells ${found.key}`).toBeDefined()
    }
  })

  test.each<[string, [string, object?], [string, object?]]>([
    ["other literals", ["a:{x}"], ["b:{x}"]],
    ["another number of segments", ["a:{x}"], ["a:{x}:{y}"]],
    ["another end", ["a:{x}:b"], ["a:{x}:c"]],
    ["a day and a month", ["a:{x}", { x: day }], ["a:{y}", { y: month }]],
    ["choices that differ", ["a:{x}", { x: oneOf("p", "q") }], ["a:{y}", { y: oneOf("r") }]],
    ["a number and a choice of words", ["a:{x}", { x: int }], ["a:{y}", { y: oneOf("r") }]],
    ["the prefix itself", ["viewed:"], ["viewed:{token}"]],
    ["a brace", ["{{x}}:a"], ["{x}:a"]],
  ])("is clear with %s, and nobody rivals anybody", (_, one, other) => {
    expect(keys(one, other)().keys.map(({ rivals }) => rivals)).toEqual([[], []])
  })

  test("is the more literal one; the other knows whom it may not spell", () => {
    const made = keyspace({
      cart: string("cart:{id}", text),
      list: set("cart:list", text),
      counter: counter("cart:counter"),
      line: set("cart:{id}:lines", text),
    })
    expect(Object.fromEntries(made.keys.map(({ name, rivals }) => [name, rivals]))).toEqual({
      cart: ["list", "counter"],
      list: [],
      counter: [],
      line: [],
    })
  })

  test("is settled by codecs on every pattern of the same form", () => {
    const verb = oneOf("select", "insert")
    const made = keyspace(
      {
        total: counter("q:{user}:total"),
        perDay: counter("q:{user}:{day}"),
        perMonth: counter("q:{user}:{month}"),
        byVerb: counter("q:{user}:{month}:{verb}"),
        time: counter("q:{user}:{month}:time"),
        dayTime: counter("q:{user}:{day}:time"),
      },
      { params: { day, month, verb, user: id("user") } },
    )
    expect(made.keys.every(({ rivals }) => rivals.length === 0)).toBe(true)
  })

  test("entities and groups take part", () => {
    const user = entity("user:{id}", json(z.object({ id: z.string() })), { all: "user:list" })
    expect(keyspace({ user }).keys.map(({ name, rivals }) => [name, rivals])).toEqual([
      ["user", ["user#all"]],
      ["user#all", []],
    ])
    expect(() => keyspace({ user, old: scope("user:", { page: string("{name}", text) }) })).toThrow(
      expect.objectContaining({ code: "KEYSPACE.AMBIGUOUS" }),
    )
  })
})

describe("entries", () => {
  // With a then, a client would be awaited as a promise, and never settle.
  const refused = ["__proto__", "then", "1a", "a-b", "a b", "", "$x", "_x", "a.b", "ü"]
  test.each(refused)("may not be called %j", (name) => {
    const entries = Object.fromEntries([[name, string("a", text)]])
    expect(() => keyspace(entries)).toThrow(
      expect.objectContaining({ code: "KEYSPACE.ENTRY", message: `${name} is not a name` }),
    )
    expect(() => keyspace({ s: scope("s:", entries) })).toThrow(expect.objectContaining({ code: "KEYSPACE.ENTRY" }))
  })

  test.each(refused)("nor may steps, drains and relations be called %j", (name) => {
    const named = (value: object) => Object.fromEntries([[name, value]])
    const entries = { user: entity("user:{id}", { id: text }), a: string("a", text) }
    for (const [what, options] of Object.entries({
      steps: { steps: named(step({ script: "-- KEYS a\nreturn 1", keys: ["a"] })) },
      drains: { drains: named(drain({ from: "a", into: "a" })) },
      relations: { relations: { user: named({ one: "user", from: "id" }) } },
    }))
      expect(() => keyspace(entries, options as never)).toThrow(
        expect.objectContaining({ code: "KEYSPACE.ENTRY", message: expect.stringContaining(`${what}.`) }),
      )
  })

  test.each(["constructor", "toString", "hasOwnProperty", "__proto__"])(
    "of what a step takes, none is called %j",
    (name) => {
      const args = Object.fromEntries([[name, text]])
      const steps = { s: step({ script: "-- KEYS a, ARGV\nreturn 1", keys: ["a"], args }) }
      expect(() => keyspace({ a: string("a", text) }, { steps })).toThrow(
        expect.objectContaining({ code: "KEYSPACE.ENTRY", message: expect.stringContaining(`steps.s.${name}`) }),
      )
    },
  )

  test.each([undefined, null, "a", 1, {}, text])("may not be %s", (entry) => {
    expect(() => keyspace({ a: entry as never })).toThrow(
      expect.objectContaining({ code: "KEYSPACE.ENTRY", message: "a is not an entry" }),
    )
  })

  test.each(["", "a:{", "a:{}", "a:{x}{y}"])("may not have the pattern %j", (pattern) => {
    expect(() => keyspace({ a: string(pattern as "a", text) })).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^(PATTERN|DEFINE)\./) }),
    )
  })
})

describe("a keyspace", () => {
  const walk = (value: unknown, path: string, found: string[] = []): string[] => {
    if (typeof value !== "object" || value === null) return found
    if (!Object.isFrozen(value)) found.push(path)
    for (const [name, part] of Object.entries(value)) walk(part, `${path}.${name}`, found)
    return found
  }

  test.each(Object.entries(keyspaces))("is frozen at every depth: %s", (_, made) => {
    expect(walk(made, "$")).toEqual([])
  })

  test("keeps its name, doc and defaults", () => {
    const made = keyspace({ a: zset("a", text) }, { name: "n", doc: "d", ttl: "never", evictable: true })
    expect(made).toMatchObject({ name: "n", doc: "d", ttl: "never", evictable: true })
    expect(made.keys[0]).toMatchObject({ evictable: true, ttl: { on: "never" }, db: 0, name: "a" })
  })

  test("may be empty", () => {
    expect(keyspace({}).keys).toEqual([])
    expect(keyspace({ d: database(3, "d", {}) }).keys).toEqual([])
  })
})
