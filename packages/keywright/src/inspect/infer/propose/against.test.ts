import { expect, it } from "vitest"
import * as z from "zod"
import { database, hash, int, json, keyspace, type Keyspace, list, set, string, text } from "../../../index.ts"
import { patternFrom, patternOfKeys } from "../mine/pattern.cases.ts"
import type { Pattern } from "../mine/pattern.ts"
import { compare } from "./against.ts"

const lacks = (schema: Keyspace, patterns: readonly Pattern[], home = 0) =>
  compare(schema, patterns, home).lacks.map(({ what, name, detail }) => `${what} ${name ?? "-"}: ${detail}`)
const made = (entries: object) => keyspace(entries as Record<string, never>) as Keyspace
const users = (type: string, elements: string[], ttl = -1) =>
  patternOfKeys(
    "user:{int}",
    type,
    [
      ["user:1", elements],
      ["user:2", elements],
    ],
    { ttlMs: () => ttl },
  )
const user = (def: unknown) => made({ user: def })
const params = { params: { id: int } }

it.each<[string, string[], Keyspace, Pattern[]]>([
  ["nothing", [], user(set("user:{id}", text, params)), [users("set", ["x"])]],
  [
    "a pattern, and keys of one that is declared",
    ["pattern -: no pattern declares this set", "keys user: declared, but there is no such key"],
    user(set("guest:{id}", text, params)),
    [users("set", ["x"])],
  ],
  [
    "a type",
    ["type user: declared as list, and most keys are of type set"],
    user(list("user:{id}", text, params)),
    [users("set", ["x"])],
  ],
  [
    "a TTL",
    ["ttl user: declared to never expire, and 2 of 2 keys have a TTL"],
    user(set("user:{id}", text, { ...params, ttl: "never" })),
    [users("set", ["x"], 5000)],
  ],
  [
    "keys that stay",
    ["ttl user: declared to expire, and 2 of 2 keys have no TTL"],
    user(set("user:{id}", text, { ...params, ttl: "10m" })),
    [users("set", ["x"])],
  ],
  [
    "fields of a hash",
    ["fields user: fields that are not declared: name"],
    user(hash("user:{id}", { id: int }, params)),
    [users("hash", ["id", "1", "name", "a b"])],
  ],
  [
    "fields of a document",
    ["fields user: fields that are not declared: name"],
    user(string("user:{id}", json(z.object({ id: z.number() })), params)),
    [users("string", ['{"id":1,"name":"a b"}'])],
  ],
])("finds that a schema lacks %s", (_, expected, schema, patterns) => {
  expect(lacks(schema, patterns)).toEqual(expected)
})

it("proposes what no declaration owns", () => {
  const [known, unknown] = [users("set", ["x"]), patternFrom("cart:{int}", "set", [["x"]])]
  expect(compare(user(set("user:{id}", text, params)), [known, unknown], 0).missing).toEqual([unknown])
})

const gone = "keys user: declared, but there is no such key"
it.each<[string, number, string[]]>([
  ["the connection's own", 3, []],
  ["no other", 0, ["pattern -: no pattern declares this set", gone]],
])("a schema without databases is about %s", (_, home, expected) => {
  expect(lacks(user(set("user:{id}", text, params)), [{ ...users("set", ["x"]), db: 3 }], home)).toEqual(expected)
})

it("a schema with databases is about those, whatever the connection speaks to", () => {
  const schema = made({ three: database(3, "three", { user: set("user:{id}", text, params) }) })
  expect(lacks(schema, [{ ...users("set", ["x"]), db: 3 }], 0)).toEqual([])
  expect(compare(schema, [], 0).lacks).toMatchObject([{ db: 3, pattern: "user:{id}", keys: 0, what: "keys" }])
  expect(compare(user(set("user:{id}", text, params)), [], 5).lacks).toMatchObject([{ db: 5 }])
})
