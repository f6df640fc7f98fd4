import { expect, it } from "vitest"
import type { EntryForm, KeyspaceForm } from "../../schema/json/form.ts"
import { schemaSource, type SourceOptions } from "./schema-source.ts"

const text = { codec: "text" } as const
const longDocument = {
  codec: "json",
  schema: {
    type: "object",
    properties: Object.fromEntries("abcdef".split("").map((name) => [name, { type: "string" }])),
  },
}
const a: EntryForm = { kind: "string", pattern: "a", shape: { value: text } }
const sourceOf = (entries: object, more: object = {}, options: SourceOptions = {}) =>
  schemaSource({ entries, ...more } as unknown as KeyspaceForm, options)
/** What is in the braces of the keyspace. */
const bodyOf = (entry: object, more: object = {}) =>
  /keyspace\(\{\s*([^]*?),?\s*\}\)\n$/.exec(sourceOf({ a: entry }, more))?.[1]

it.each<[string, object, string]>([
  ["a string", a, 'a: string("a", text)'],
  ["a counter", { kind: "counter", pattern: "a", shape: { value: { codec: "int" } } }, 'a: counter("a")'],
  ["a hash", { kind: "hash", pattern: "a", shape: { fields: { text, b: text } } }, 'a: hash("a", { text, b: text })'],
  ["a map", { kind: "map", pattern: "a", shape: { field: text, value: text } }, 'a: map("a", text, text)'],
  [
    "a sorted set",
    { kind: "zset", pattern: "a", shape: { member: text, score: { codec: "int" } }, keep: 9 },
    'a: zset("a", text, { score: int, keep: 9 })',
  ],
  ["a bitmap", { kind: "bitmap", pattern: "a" }, 'a: bitmap("a")'],
  ["TTLs", { ...a, ttl: { either: ["30s", "never"] } }, 'a: string("a", text, { ttl: either("30s", "never") })'],
  [
    "notes",
    { ...a, secret: true, evictable: true, doc: "D." },
    'a: string("a", text, { secret: true, evictable: true, doc: "D." })',
  ],
  ["a scope", { group: "scope", prefix: "s:", entries: { b: a } }, 'a: scope("s:", { b: string("a", text) })'],
  [
    "a family",
    { group: "family", prefix: "s:", ttl: "1h", entries: { b: a } },
    'a: family("s:", { ttl: "1h" }, { b: string("a", text) })',
  ],
  [
    "a database",
    { group: "database", db: 4, name: "x", entries: { b: a } },
    'a: database(4, "x", { b: string("a", text) })',
  ],
  [
    "an entity",
    { kind: "entity", pattern: "p:{id}", store: { as: "hash", fields: { b: text } }, all: "p:all" },
    'a: entity("p:{id}", { b: text }, { all: "p:all" })',
  ],
])("writes %s", (_, entry, code) => {
  expect(bodyOf(entry)).toBe(code)
})

it.each<[string, string, string]>([
  [
    "imports what it needs, in order",
    sourceOf({ a: { ...a, ttl: { fixed: "1h" } } }),
    'import { fixed, keyspace, string, text } from "keywright"\n',
  ],
  [
    "has comments above entries",
    sourceOf({ a }, {}, { comments: new Map([["a", ["one\ntwo"]]]) }),
    '  // one\\ntwo\n  a: string("a", text),\n',
  ],
  ["has a header that ends where it should", sourceOf({ a }, {}, { header: ["x */ y"] }), "/* x * / y */\n\nimport"],
  ["shows what would not be seen", sourceOf({ a: { ...a, doc: "a\u202eb" } }), 'doc: "a\\u202eb"'],
  [
    "gives ids that are used in rules by name",
    sourceOf(
      { a: { kind: "set", pattern: "a", shape: { member: { codec: "id", name: "token", of: text } } } },
      { invariants: [{ kind: "same", id: "token", keys: ["a", "b"], truth: "b" }] },
    ),
    'sameIds(token, ["a", "b"], { truth: "b" })',
  ],
  [
    "says a layout once",
    sourceOf(
      Object.fromEntries(
        ["user", "role"].map((name) => [
          name,
          {
            kind: "entity",
            pattern: `${name}:{id}`,
            all: `${name}:all`,
            store: { as: "json", value: { codec: "json" } },
          },
        ]),
      ),
    ),
    'const record = layout({ key: "{entity}:{id}", all: "{entity}:all" })\n',
  ],
  [
    "does not declare its own name twice",
    sourceOf({ a: { ...a, pattern: "a:{x}", params: { x: { codec: "id", name: "schema", of: text } } } }),
    'const schema2 = id("schema")\n',
  ],
  ...[
    ["process.exit(), x", "ProcessExitX"],
    ["a = (globalThis.stolen = 1), b", "AGlobalThisStolen1B"],
    ["", "Value"],
    ["1st", "Value1st"],
    ["naïve/x", "NaVeX"],
  ].map(([field, constant]): [string, string, string] => [
    `makes no code of a document's field that is called ${JSON.stringify(field)}`,
    sourceOf({ a: { kind: "stream", pattern: "a", shape: { fields: { [field!]: longDocument } } } }),
    `const ${constant} = z.object({`,
  ]),
])("%s", (_, source, part) => {
  expect(source).toContain(part)
})
