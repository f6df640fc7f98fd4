import { describe, expect, test } from "vitest"
import { type } from "arktype"
import * as z from "zod"
import { entity, float, id, int, json, keyspace, layout, oneOf, replicated, scope, text } from "../index.ts"
import { fieldValue } from "./codec/value.ts"

const User = json(
  z.object({ id: z.string(), email: z.string(), roleId: z.string(), age: z.number(), active: z.boolean() }),
)
const rows = (made: { keys: readonly { name: string; pattern: string; kind: string; entity?: object }[] }) =>
  made.keys.map(({ name, kind, pattern }) => [name, kind, pattern])

describe("an entity's keys", () => {
  const user = entity("user:{id}", User, {
    counter: "user:counter",
    all: "user:list",
    unique: { email: ["user:index:email:{email}", "mail:{email}"] },
    index: {
      role: ["user:index:role:{roleId}", "role:{roleId}:users"],
      age: { patterns: "user:index:age:{active}", score: "age", where: { active: true } },
    },
    doc: "Somebody.",
    secret: ["email"],
  })
  const made = keyspace({ user })

  test("are the record, its counter, the set of all ids, and one per index and mirror", () => {
    expect(rows(made)).toEqual([
      ["user", "string", "user:{id}"],
      ["user#counter", "counter", "user:counter"],
      ["user#all", "set", "user:list"],
      ["user#email", "string", "user:index:email:{email}"],
      ["user#email~1", "string", "mail:{email}"],
      ["user#role", "set", "user:index:role:{roleId}"],
      ["user#role~1", "set", "role:{roleId}:users"],
      ["user#age", "zset", "user:index:age:{active}"],
    ])
  })

  test("know what they are there", () => {
    expect(made.keys.map(({ entity: of }) => [of!.role, of!.index])).toEqual([
      ["record", undefined],
      ["counter", undefined],
      ["all", undefined],
      ["unique", "email"],
      ["mirror", "email"],
      ["index", "role"],
      ["mirror", "role"],
      ["index", "age"],
    ])
  })

  test("are made of fields: an index is on what its pattern names", () => {
    expect(user.index["role"]).toEqual({
      patterns: ["user:index:role:{roleId}", "role:{roleId}:users"],
      fields: ["roleId"],
    })
    expect(user.index["age"]).toMatchObject({ fields: ["active"], score: "age", where: { active: true } })
  })

  test("only the record carries what is said of the record", () => {
    expect(made.keys[0]).toMatchObject({ doc: "Somebody.", secret: ["email"] })
    for (const key of made.keys.slice(1)) expect(key).not.toHaveProperty("doc")
  })

  test("hold ids with the id's codec, and values of fields in their segments", () => {
    const post = id("post", int)
    const keys = keyspace({
      post: entity(
        "post:{id}",
        { id: post, tag: text },
        { all: "posts", index: { tag: "tag:{tag}" }, params: { id: post } },
      ),
    }).keys
    expect(keys[0]!.params["id"]).toBe(post)
    expect(keys[1]!.shape["member"]).toBe(post)
    expect(keys[2]!.shape["member"]).toBe(post)
    expect(keys[2]!.params["tag"]).toBe(fieldValue)
  })

  test("are a hash when the fields are given as codecs", () => {
    const keys = keyspace({
      a: entity("a:{id}", { id: text, n: int }, { index: { n: { patterns: "n:{n}", score: "n" } } }),
    }).keys
    expect(keys.map(({ kind }) => kind)).toEqual(["hash", "zset"])
    expect(keys[1]!.shape["score"]).toBe(float)
  })

  test("stand under the prefix of their group, whose parameters are not the id", () => {
    const made = keyspace({ tenant: scope("T:{tenant}:", { user: entity("user:{id}", User, { all: "users" }) }) })
    expect(rows(made)).toEqual([
      ["tenant.user", "string", "T:{tenant}:user:{id}"],
      ["tenant.user#all", "set", "T:{tenant}:users"],
    ])
    expect(made.keys[0]!.entity).toEqual({ name: "tenant.user", role: "record" })
  })
})

describe("ids", () => {
  test("come from the counter when there is one, else they are given", () => {
    expect(entity("a:{id}", User, { counter: "a:counter" }).ids).toBe("counter")
    expect(entity("a:{id}", User).ids).toBe("given")
    expect(entity("a:{id}", User, { ids: "uuid" }).ids).toBe("uuid")
    expect(entity("{tenant}:a:{id}", User).idField).toBe("id")
  })

  test("cannot come from a counter that is not there", () => {
    expect(() => entity("a:{id}", User, { ids: "counter" })).toThrow(
      expect.objectContaining({ code: "ENTITY.NO_COUNTER", fix: expect.any(String) }),
    )
  })

  const named = z.object({ name: z.string() })
  const [withId, withKey] = [z.object({ id: z.string() }), z.object({ key: z.string() })]
  test.each<[string, object]>([
    ["a document", json(named)],
    ["a document that may have more", json(z.looseObject({ name: z.string() }))],
    ["a document of arktype", json(type({ name: "string" }))],
    ["one of several documents", json(z.union([withId, named]))],
    ["parts that count together", json(z.intersection(withKey, named))],
    ["a hash", { name: text }],
    ["an empty hash", {}],
  ])("need a field of the record: %s without it is refused", (_, value) => {
    const declare = entity as unknown as (pattern: string, value: object) => unknown
    expect(() => declare("user:{id}", value)).toThrow(
      expect.objectContaining({
        code: "ENTITY.ID_FIELD",
        message: expect.stringContaining('"id"'),
        why: expect.any(String),
        fix: expect.any(String),
      }),
    )
  })

  test.each<[string, object]>([
    ["in one part", json(z.intersection(withId, named))],
    [
      "in each of several",
      json(z.discriminatedUnion("id", [z.object({ id: z.literal("a") }), z.object({ id: z.literal("b") })])),
    ],
    ["in a document of unknown shape", json(z.any())],
    ["in a document whose schema JSON Schema has no words for", json(z.object({ at: z.date() }))],
    ["as one that may be left out", json(z.object({ id: z.string().optional() }))],
  ])("may have their field %s", (_, value) => {
    const declare = entity as unknown as (pattern: string, value: object) => unknown
    expect(() => declare("user:{id}", value)).not.toThrow()
  })

  test("need a place in the key", () => {
    expect(() => entity("user", User)).toThrow(
      expect.objectContaining({ code: "ENTITY.NO_ID", fix: expect.any(String) }),
    )
  })
})

describe("indexes that cannot be", () => {
  const loose = entity as unknown as (pattern: string, value: object, options: object) => unknown
  const fields = { id: text, email: text, age: int }
  test.each<[string, object, object, string]>([
    ["on a field that the hash lacks", fields, { unique: { mail: "m:{mail}" } }, "ENTITY.UNKNOWN_FIELD"],
    ["on a field that the document lacks", User, { index: { mail: "m:{mail}" } }, "ENTITY.UNKNOWN_FIELD"],
    [
      "on a field that every object has",
      fields,
      { index: { x: "x:{email}", y: { patterns: "y:{email}", score: "constructor" } } },
      "ENTITY.UNKNOWN_FIELD",
    ],
    [
      "ordered by an unknown field",
      fields,
      { index: { a: { patterns: "a:{email}", score: "size" } } },
      "ENTITY.UNKNOWN_FIELD",
    ],
    [
      "on a condition of an unknown field",
      fields,
      { index: { a: { patterns: "a:{email}", where: { open: true } } } },
      "ENTITY.UNKNOWN_FIELD",
    ],
    [
      "with the name of a unique one",
      fields,
      { unique: { email: "u:{email}" }, index: { email: "i:{email}" } },
      "ENTITY.INDEX_TWICE",
    ],
    ["with a mirror on another field", fields, { index: { a: ["a:{email}", "b:{age}"] } }, "ENTITY.INDEX_FIELDS"],
    [
      "with a mirror on fewer fields",
      fields,
      { index: { a: ["a:{email}:{age}", "b:{email}"] } },
      "ENTITY.INDEX_FIELDS",
    ],
    ["with a bad pattern", fields, { index: { a: "a:{email" } }, "PATTERN.BRACES"],
  ])("%s", (_, value, options, code) => {
    expect(() => loose("user:{id}", value, options)).toThrow(expect.objectContaining({ code }))
  })

  test("stamps are fields too", () => {
    const index = { new: { patterns: "new", score: "createdAt" } } as const
    expect(() => loose("user:{id}", fields, { index })).toThrow(
      expect.objectContaining({ code: "ENTITY.UNKNOWN_FIELD" }),
    )
    expect(() => loose("user:{id}", fields, { index, stamps: true })).not.toThrow()
  })

  test("a document of unknown shape may have any field", () => {
    expect(() => loose("user:{id}", json(z.any()), { index: { mail: "m:{mail}" } })).not.toThrow()
  })
})

test.each([0, -1, 1.5, Number.NaN])("replicated(%d) is refused", (replicas) => {
  expect(() => replicated(replicas)).toThrow(expect.objectContaining({ code: "DEFINE.REFUSED" }))
  expect(replicated(2)).toEqual({ replicas: 2 })
})

describe("layout", () => {
  const record = layout({
    key: "{entity}:{id}",
    all: "{entity}:list",
    counter: "{entity}:counter",
    index: "{entity}:index:{index}:{value}",
  })

  test("spells every key of an entity by one convention", () => {
    const user = record("user", User, {
      unique: { email: "email" },
      index: { byRole: ["roleId", "role:{roleId}:users"] },
      doc: "Somebody.",
    })
    expect(rows(keyspace({ user }))).toEqual([
      ["user", "string", "user:{id}"],
      ["user#counter", "counter", "user:counter"],
      ["user#all", "set", "user:list"],
      ["user#email", "string", "user:index:email:{email}"],
      ["user#byRole", "set", "user:index:byRole:{roleId}"],
      ["user#byRole~1", "set", "role:{roleId}:users"],
    ])
    expect(user).toMatchObject({ ids: "counter", doc: "Somebody.", stamps: [], durability: "fast" })
  })

  test("leaves the counter out when ids are made otherwise", () => {
    expect(record("user", User, { ids: "uuid" }).counter).toBeUndefined()
    expect(record("user", User, { ids: "given" }).ids).toBe("given")
  })

  test("takes the entity's name as it is, wherever and however often it appears", () => {
    expect(layout({ key: "{entity}/{id}.{entity}" })("a$&b", User).pattern).toBe("a$&b/{id}.a$&b")
  })

  test("refuses what entity refuses", () => {
    expect(() => layout({ key: "{entity}" })("user", User)).toThrow(expect.objectContaining({ code: "ENTITY.NO_ID" }))
    expect(() => record("a", { ...User } as never, { unique: { x: "nope" } as never })).toThrow(
      expect.objectContaining({ code: "ENTITY.UNKNOWN_FIELD" }),
    )
  })
})

test("oneOf in an index's segment keeps its codec", () => {
  const status = oneOf("open", "done")
  const made = keyspace({
    a: entity("a:{id}", { id: text, status }, { index: { s: "s:{status}" }, params: { status } }),
  })
  expect(made.keys[1]!.params["status"]).toBe(status)
})
