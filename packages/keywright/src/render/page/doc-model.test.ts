import { expect, it } from "vitest"
import * as z from "zod"
import {
  database,
  entity,
  family,
  hash,
  id,
  int,
  json,
  keyspace,
  optional,
  scope,
  secret,
  set,
  string,
  text,
  type Keyspace,
} from "../../index.ts"
import { docPage } from "./doc-model.ts"

const Doc = json(
  z.object({
    id: z.string(),
    sex: z.enum(["M", "F"]),
    tags: z.array(z.string()),
    at: z.iso.datetime().optional(),
    pin: z.string(),
  }),
)
const person = entity("p:{id}", Doc, {
  counter: "p:counter",
  all: "p:all",
  unique: { pin: "p:pin:{pin}" },
  index: { sex: ["p:sex:{sex}", "by-sex:{sex}"] },
  secret: ["pin"],
})
const pageOf = (entries: object, options: object = {}) =>
  docPage(keyspace(entries as Record<string, never>, options) as Keyspace)

it.each<[string, object, [title: string, kind: string, keys: number][]]>([
  ["keys alone", { a: string("a", text) }, [["Keys", "keys", 1]]],
  [
    "an entity and other keys",
    { person, a: string("a", text) },
    [
      ["person", "entity", 6],
      ["Other keys", "keys", 1],
    ],
  ],
  ["a scope", { s: scope("s:", { a: string("a", text) }) }, [["s", "keys", 1]]],
  [
    "a family",
    { f: family("f:{id}", { ttl: "1h" }, { a: string(":a", text), b: set(":b", text) }) },
    [["f", "family", 2]],
  ],
  [
    "databases in their order, empty ones too",
    { b: database(4, "spare", {}), a: database(1, "main", { x: string("x", text) }) },
    [
      ["Database 1: main", "database", 1],
      ["Database 4: spare", "database", 0],
    ],
  ],
])("has sections for %s", (_, entries, sections) => {
  expect(pageOf(entries).sections.map(({ title, kind, keys }) => [title, kind, keys.length])).toEqual(sections)
})

it("says what each key is to its entity", () => {
  expect(pageOf({ person }).sections[0]!.keys.map(({ pattern, role }) => `${pattern} ${role}`)).toEqual([
    "p:{id} the record",
    "p:counter the last id",
    "p:all all ids",
    "p:pin:{pin} unique index pin: the id",
    "p:sex:{sex} index sex: ids",
    "by-sex:{sex} mirror of index sex",
  ])
})

it("tells the fields of documents and hashes in a few words", () => {
  const [record] = pageOf({ person }).sections[0]!.keys
  expect(record!.parts.map(({ name, type, optional, secret }) => [name, type, optional, secret])).toEqual([
    ["id", "text", false, false],
    ["sex", '"M" | "F"', false, false],
    ["tags", "text[]", false, false],
    ["at", "date-time", true, false],
    ["pin", "text", false, true],
  ])
  const [cart] = pageOf({
    cart: hash("cart:{who}", { n: optional(int), t: secret(text) }, { params: { who: id("user") } }),
  }).sections[0]!.keys
  expect(
    [...cart!.params, ...cart!.parts].map(({ name, type, optional, secret }) => [name, type, optional, secret]),
  ).toEqual([
    ["who", "user id", false, false],
    ["n", "int", true, false],
    ["t", "text", false, true],
  ])
})

it("takes over what a group says, and the notes of a key", () => {
  const [section] = pageOf({
    s: scope(
      "s:",
      { a: string("a", text, { ttl: "1h", writes: ["w"], evictable: true }) },
      { doc: "D.", when: "on", deprecated: "old" },
    ),
  }).sections
  expect(section).toMatchObject({ doc: "D.", when: "on", deprecated: "old" })
  expect(section!.keys[0]).toMatchObject({
    when: "on",
    deprecated: "old",
    ttl: "1h from each write",
    writes: ["w"],
    reads: [],
    evictable: true,
  })
})
