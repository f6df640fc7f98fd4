import { describe, expect, test } from "vitest"
import * as z from "zod"
import {
  database,
  delimited,
  entity,
  family,
  hash,
  id,
  int,
  json,
  keyspace,
  list,
  oneOf,
  replicated,
  sameIds,
  scope,
  secret,
  set,
  string,
  text,
  zset,
} from "../../index.ts"
import { fingerprint } from "./fingerprint.ts"
import { hash64 } from "./hash64.ts"
import { keyspaces } from "./keyspaces.cases.ts"

const token = id("token")
const User = z.object({ id: z.string(), title: z.string() })
const of = (...args: Parameters<typeof keyspace>) => fingerprint(keyspace(...args))

describe("the fingerprint", () => {
  test("is sixteen hexadecimal digits, and the same in every version and process", () => {
    expect(Object.values(keyspaces).map((one) => fingerprint(one))).toEqual([
      expect.stringMatching(/^[0-9a-f]{16}$/),
      expect.stringMatching(/^[0-9a-f]{16}$/),
      expect.stringMatching(/^[0-9a-f]{16}$/),
    ])
    expect(of({ page: string("cache:{hash}", text, { ttl: "5m" }) })).toBe("5c38991943880270")
  })

  const base = of({ a: string("a:{x}", text), b: set("b", token) }, {})
  const user = (options: object = {}, schema = User) => of({ user: entity("user:{id}", json(schema), options) }, {})

  test.each([
    ["doc", of({ a: string("a:{x}", text, { doc: "A." }), b: set("b", token) }, { doc: "All.", name: "all" })],
    ["who writes and reads", of({ a: string("a:{x}", text, { writes: ["w"], reads: ["r"] }), b: set("b", token) })],
    ["deprecated and when", of({ a: string("a:{x}", text, { deprecated: "old", when: "on" }), b: set("b", token) })],
    ["redaction", of({ a: string("a:{x}", secret(text), { secret: true }), b: set("b", secret(token)) })],
    ["evictable", of({ a: string("a:{x}", text, { evictable: true }), b: set("b", token) })],
    ["the order of entries", of({ b: set("b", token), a: string("a:{x}", text) })],
    ["the order of notes", of({ a: string("a:{x}", text), b: set("b", token, { doc: "B.", params: {} }) })],
    [
      "a parameter's codec that is the default",
      of({ a: string("a:{x}", text, { params: { x: text } }), b: set("b", token) }),
    ],
  ])("does not change with %s", (_, changed) => {
    expect(changed).toBe(base)
  })

  test.each([
    ["a pattern", of({ a: string("a:{y}", text), b: set("b", token) })],
    ["a kind", of({ a: string("a:{x}", text), b: list("b", token) })],
    ["a codec", of({ a: string("a:{x}", int), b: set("b", token) })],
    ["a codec of a parameter", of({ a: string("a:{x}", text, { params: { x: int } }), b: set("b", token) })],
    ["the name of an id", of({ a: string("a:{x}", text), b: set("b", id("user")) })],
    ["a ttl", of({ a: string("a:{x}", text, { ttl: "1m" }), b: set("b", token) })],
    ["a default ttl", of({ a: string("a:{x}", text), b: set("b", token) }, { ttl: "never" })],
    ["the name of an entry", of({ c: string("a:{x}", text), b: set("b", token) })],
    ["a new entry", of({ a: string("a:{x}", text), b: set("b", token), c: set("c", text) })],
    ["a database", of({ a: string("a:{x}", text), d: database(1, "d", { b: set("b", token) }) })],
    [
      "an invariant",
      of(
        { a: string("a:{x}", text), b: set("b", token), c: set("c", token) },
        { invariants: [sameIds(token, ["b", "c"])] },
      ),
    ],
  ])("changes with %s", (_, changed) => {
    expect(changed).not.toBe(base)
  })

  test("changes with the order of columns, not with that of fields", () => {
    const columns = (fields: Record<string, typeof text>) => of({ a: list("a", delimited(",", fields)) })
    const fields = (fields: Record<string, typeof text>) => of({ a: hash("a", fields) })
    expect(columns({ x: text, y: text })).not.toBe(columns({ y: text, x: text }))
    expect(fields({ x: text, y: text })).toBe(fields({ y: text, x: text }))
  })

  test("changes with keep, families, choices and values", () => {
    expect(of({ a: zset("a", text, { keep: 5 }) })).not.toBe(of({ a: zset("a", text, { keep: 6 }) }))
    expect(of({ f: family("f:", { ttl: "1m" }, { a: set("a", text) }) })).not.toBe(
      of({ f: scope("f:", { a: set("a", text) }, { ttl: "1m" }) }),
    )
    expect(of({ a: set("a", oneOf("x", "y")) })).not.toBe(of({ a: set("a", oneOf("x", "z")) }))
  })

  test("changes with what an entity keeps, not with how safely or for whom", () => {
    expect(user({ unique: { title: "t:{title}" } })).not.toBe(user())
    expect(user({ index: { title: { patterns: "t:{title}", where: { title: "x" } } } })).not.toBe(
      user({ index: { title: "t:{title}" } }),
    )
    expect(user({ stamps: true })).not.toBe(user())
    expect(user({ ids: "uuid" })).not.toBe(user())
    expect(user({ durability: replicated(1) })).toBe(user())
    expect(user({ doc: "A user." })).toBe(user())
  })

  test("changes with the fields of a document, not with their descriptions", () => {
    expect(user({}, User.extend({ age: z.int() }) as never)).not.toBe(user())
    expect(user({}, z.object({ id: z.string() }) as never)).not.toBe(user())
    expect(
      user({}, z.object({ id: z.string().describe("Its id."), title: z.string() }).describe("A user.") as never),
    ).toBe(user())
  })
})

test("hash64 is FNV-1a with 64 bits", () => {
  const slow = (text: string) => {
    let hash = 0xcbf29ce484222325n
    for (let i = 0; i < text.length; i++) {
      hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n)
    }
    return hash.toString(16).padStart(16, "0")
  }
  expect(hash64("")).toBe("cbf29ce484222325")
  expect(hash64("a")).toBe("af63dc4c8601ec8c") // From the reference tables of FNV.
  expect(hash64("foobar")).toBe("85944171f73967e8")
  for (const text of ["héllo \u{1f600}", "\uffff\u0000\uffff", "x".repeat(1000)]) expect(hash64(text)).toBe(slow(text))
})
