import { expect, it } from "vitest"
import { DatabaseMiner } from "../mine/database-miner.ts"
import { patternFrom, patternOfKeys } from "../mine/pattern.cases.ts"
import type { Pattern } from "../mine/pattern.ts"
import { MinedRow } from "../mine/row.ts"
import { token } from "../mine/segments.cases.ts"
import type { FoundEntity } from "../structure/found-entity.ts"
import { times } from "../values/values.cases.ts"
import type { Findings, Proposal } from "./proposal.ts"
import { noIds } from "./proposal-params.ts"
import { inferredKeys, unexplainedOf } from "./report.ts"

const findings = (patterns: readonly Pattern[], entities: readonly FoundEntity[] = []): Findings => ({
  patterns,
  entities,
  ids: noIds,
  families: [],
  invariants: [],
  alike: new Map(),
  relations: new Map(),
})
const proposal = (names: readonly (readonly [Pattern, string])[], entities: readonly Pattern[] = []): Proposal =>
  ({ names: new Map(names), entities }) as unknown as Proposal

it("says of a pattern what it rests on, and redacts its examples", () => {
  const sessions = patternOfKeys(
    "session:{token}",
    "string",
    times(3, token).map((t) => [`session:${t}`, ["a b"]]),
    {
      ttlMs: () => 59_000,
    },
  )
  expect(inferredKeys(findings([sessions]), proposal([[sessions, "session"]]))).toEqual([
    {
      name: "session",
      db: 0,
      pattern: "session:{session}",
      type: "string",
      kind: "string",
      keys: 3,
      read: 3,
      doubt: 0,
      ttl: { class: "fixed", rule: "1m", without: 0 },
      examples: ["session:…", "session:…"],
      notes: [],
      seen: [],
    },
  ])
})

it.each<[string, number, (pattern: Pattern) => void]>([
  ["all values were read", 0, () => undefined],
  ["30 of 40 were read", 0.1, ({ of }) => (of.count = 40)],
  ["30 were read in part", 0.05, ({ of }) => (of.values.cut = 1)],
])("where %s, at most this share may differ: %d", (_, doubt, change) => {
  const pattern = patternFrom(
    "feed:{int}",
    "list",
    times(30, () => "").map(() => ["a b", "c d"]),
  )
  change(pattern)
  expect(inferredKeys(findings([pattern]), proposal([]))[0]!.doubt).toBe(doubt)
})

const [record, counter, all, index, mirror, unique] = [
  patternFrom("user:{int}", "hash", [["id", "0", "name", "a b"]]),
  ...["counter", "users", "user:team:{word}", "team:{word}", "user:mail:{word}"].map((spelling) =>
    patternFrom(spelling),
  ),
] as [Pattern, Pattern, Pattern, Pattern, Pattern, Pattern]
const entity: FoundEntity = {
  name: "user",
  pattern: record,
  idField: "id",
  counter,
  all,
  indexes: [
    { name: "team", unique: false, fields: ["team"], patterns: [index, mirror] },
    { name: "mail", unique: true, fields: ["mail"], patterns: [unique] },
  ],
}
it.each<[string | undefined, Pattern]>([
  ["record", record],
  ["counter", counter],
  ["all", all],
  ["index", index],
  ["mirror", mirror],
  ["unique", unique],
  [undefined, patternFrom("other")],
])("knows the role of a key in its entity: %s", (role, pattern) => {
  const of = (declared: readonly Pattern[]) =>
    inferredKeys(findings([pattern], [entity]), proposal([], declared))[0]!.role
  expect([of([pattern]), of([])]).toEqual([role, undefined])
})

const strange = (change: (miner: DatabaseMiner) => void): DatabaseMiner => {
  const miner = new DatabaseMiner(2)
  change(miner)
  return miner
}
const changed = (pattern: Pattern, change: (pattern: Pattern) => void): Pattern => {
  change(pattern)
  return pattern
}
const users = () => patternFrom("user:{int}", "string", [["a b"], ["c d"]])
it.each<[string, object[], Pattern[], DatabaseMiner[]]>([
  ["nothing", [], [users()], [new DatabaseMiner(0)]],
  [
    "keys of another type",
    [{ db: 0, reason: "another type", pattern: "user:{user}", keys: 1, type: "list", examples: ["user:9"] }],
    [changed(users(), ({ row }) => row.add("user:9", "list", -1))],
    [],
  ],
  [
    "keys with a segment that does not fit",
    [
      {
        db: 0,
        reason: "a segment that does not fit",
        pattern: "user:{user}",
        keys: 5,
        type: "string",
        examples: ["user:x"],
      },
    ],
    [changed(users(), ({ of }) => Object.assign(of, { misfits: 5, misfitting: ["user:x"] }))],
    [],
  ],
  [
    "fields that are not text",
    [
      {
        db: 0,
        reason: "a field that is not text",
        pattern: "user:{user}",
        keys: 1,
        type: "hash",
        examples: ["user:0"],
      },
    ],
    [
      patternFrom("user:{int}", "hash", [
        [Uint8Array.of(255), "1", "name", "a b"],
        ["name", "c d"],
      ]),
    ],
    [],
  ],
  [
    "types of modules",
    [{ db: 2, reason: "a module's type", pattern: "doc:{p0}", keys: 1, type: "ReJSON-RL", examples: ["doc:1"] }],
    [],
    [
      strange(({ rows }) => {
        rows.push(new MinedRow(["doc:", { kind: "int", atom: "int" }]))
        rows[0]!.add("doc:1", "ReJSON-RL", -1)
      }),
    ],
  ],
  [
    "names that are not text, and the most frequent first",
    [
      { db: 2, reason: "not text", pattern: "{bytes}", keys: 7, examples: [] },
      { db: 2, reason: "no pattern", pattern: "x:{number}", keys: 3, type: "set", examples: ["x:1"] },
    ],
    [],
    [
      strange((miner) => {
        miner.binary = 7
        const group = miner.strangers.of("x:1")
        group.keys = 3
        group.types.set("list", 1).set("set", 2)
        group.examples.push("x:1")
      }),
    ],
  ],
])("does not explain %s", (_, expected, patterns, miners) => {
  expect(unexplainedOf(miners, findings(patterns))).toEqual(expected)
})
