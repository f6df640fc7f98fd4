import { expect, it } from "vitest"
import { fromJson } from "../../../schema/json/from-json.ts"
import { patternFrom, patternOfKeys } from "../mine/pattern.cases.ts"
import type { Pattern } from "../mine/pattern.ts"
import type { FoundEntity } from "../structure/found-entity.ts"
import { times } from "../values/values.cases.ts"
import { type Findings, PLAINEST, proposalOf } from "./proposal.ts"
import { noIds } from "./proposal-params.ts"

const set = (spelling: string, names: string[] = [], options = {}): Pattern =>
  patternOfKeys(spelling, "set", [[spelling.replace(/\{\w+\}/g, "1"), ["x y"]]], { names, ...options })
const findings = (patterns: readonly Pattern[], more: Partial<Findings> = {}): Findings => ({
  patterns,
  entities: [],
  ids: noIds,
  families: [],
  invariants: [],
  alike: new Map(),
  relations: new Map(),
  ...more,
})
const options = { home: 0, dbs: [0], plain: 0 }

const records = patternFrom(
  "user:{int}",
  "hash",
  times(3, String).map((n) => ["id", n, "name", `a ${n}`]),
  ["id"],
)
const all = set("users")
const user: FoundEntity = { name: "user", pattern: records, idField: "id", all, indexes: [] }

it("declares every pattern under its name, and leaves open whether a few keys go away", () => {
  const [carts, online] = [set("carts:{int}", ["cart"]), set("online")]
  const { form, names, entities } = proposalOf(findings([carts, online]), { ...options, name: "shop" })
  expect(form).toMatchObject({ version: 1, name: "shop", inferred: true, params: { cart: { codec: "int" } } })
  expect(form.ttl).toBeUndefined()
  expect(Object.keys(form.entries)).toEqual(["carts", "online"])
  expect([names.get(carts), names.get(online), entities]).toEqual(["carts", "online", []])
  expect(fromJson(form).keys.map(({ pattern }) => pattern)).toEqual(["carts:{cart}", "online"])
})

it.each<[string, string[], number[], number]>([
  ["the connection's own needs no group", ["a"], [0], 0],
  ["another has one", ["db3"], [3], 0],
  ["several have one each, in order", ["db0", "db3"], [3, 0], 0],
])("of the databases, %s", (_, entries, dbs, home) => {
  const patterns = dbs.map((db) => set("a", [], { db }))
  const { form, names } = proposalOf(findings(patterns), { ...options, dbs, home })
  expect(Object.keys(form.entries)).toEqual(entries)
  expect(names.get(patterns[0]!)).toBe(entries[0] === "a" ? "a" : `db${dbs[0]}.a`)
})

const family = [
  set("room:{int}", ["room"], { ttlMs: () => 50_000 }),
  set("room:{int}:guests", ["room"], { ttlMs: () => 50_000 }),
]
const scope = ["a", "b", "c"].map((word) => set(`s:{int}:${word}`, ["shop"]))
it.each<[string, plain: number, string[]]>([
  ["with groups and entities", 0, ["user", "shop", "room"]],
  ["with groups and entities", 1, ["user", "shop", "room"]],
  ["without groups", 2, ["user", "room", "roomGuests", "sA", "sB", "sC"]],
  ["without entities", 3, ["user", "room", "roomGuests", "sA", "sB", "sC", "users"]],
  ["without ids", PLAINEST, ["user", "room", "roomGuests", "sA", "sB", "sC", "users"]],
])("is plain, %s: %d", (_, plain, entries) => {
  const given = findings([records, all, ...family, ...scope], { entities: [user], families: [family] })
  const { form } = proposalOf(given, { ...options, plain })
  expect(Object.keys(form.entries).sort()).toEqual(entries.toSorted())
  expect(fromJson(form).keys.length).toBe(7)
})

it("makes a family of keys with one deadline, and finds the key that says that it is there", () => {
  const { form, names } = proposalOf(findings(family, { families: [family] }), options)
  expect(form.entries["room"]).toMatchObject({ group: "family", prefix: "room:{room}", marker: "info", ttl: "1m" })
  expect(family.map((one) => names.get(one))).toEqual(["room.info", "room.guests"])
})

it.each<[string, string[], FoundEntity]>([
  ["to which something belongs", ["user"], user],
  ["alone, which is just a document", [], { ...user, all: undefined as never }],
])("declares an entity %s", (_, entities, entity) => {
  const { form, entities: owned } = proposalOf(findings([records, all], { entities: [entity] }), options)
  const kinds = Object.entries(form.entries).filter(([, one]) => "kind" in one && one.kind === "entity")
  expect(kinds.map(([name]) => name)).toEqual(entities)
  expect(owned.length).toBe(entities.length === 0 ? 0 : 2)
})

it.each([
  [
    0,
    [
      { kind: "same", id: "user", keys: ["a", "b"], truth: "a" },
      { kind: "reference", id: "user", from: "a", to: "b" },
      { kind: "inverse", keys: ["a", "b"], truth: "a" },
    ],
  ],
  [1, undefined],
])("says invariants by the names of their keys, the plainer ones none: %i", (plain, expected) => {
  const both = [set("a"), set("b")] as const
  const links: Findings["invariants"] = [
    { kind: "same", id: "user", patterns: both },
    { kind: "reference", id: "user", patterns: both },
    { kind: "inverse", patterns: both },
  ]
  expect(proposalOf(findings(both, { invariants: links }), { ...options, plain }).form.invariants).toEqual(expected)
})

it.each([
  [0, { user: { mother: { one: "user", from: "name" } } }],
  [1, undefined],
])("says relations by the names of their entities, the plainer ones none: %i", (plain, expected) => {
  const relations: Findings["relations"] = new Map([[user, { mother: { one: "user", from: "name" } }]])
  const given = findings([records, all], { entities: [user], relations })
  expect(proposalOf(given, { ...options, plain }).form.relations).toEqual(expected)
})
