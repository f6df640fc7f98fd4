import { expect, it } from "vitest"
import { int, keyspace, type Keyspace, set, string, text } from "../../../index.ts"
import { DatabaseMiner } from "../mine/database-miner.ts"
import { patternOf } from "../mine/pattern.ts"
import type { Proposal } from "./proposal.ts"
import { countsAgree } from "./verify-counts.ts"

const miner = new DatabaseMiner(0)
for (const [key, type] of [
  ["user:1", "string"],
  ["user:2", "string"],
  ["user:3", "string"],
  ["users", "set"],
] as const)
  miner.note({ key, type, ttlMs: -1 })?.({ type, elements: ["a b"], cut: false })
miner.end()
const names = new Map(miner.rows.map((row) => [patternOf(row, 0)!, row.pattern() === "users" ? "users" : "user"]))
const made = (entries: object) => keyspace(entries as Record<string, never>) as Keyspace
const [user, users] = [string("user:{user}", text, { params: { user: int } }), set("users", text)]

it.each<[string, boolean, Keyspace]>([
  ["the same", true, made({ user, users })],
  ["under another name", false, made({ guest: user, users })],
  ["that nobody owns", false, made({ users })],
  ["that belong to another pattern", false, made({ user: string("{a}:{b}", text), users })],
  [
    "with another name for a parameter",
    false,
    made({ user: string("user:{id}", text, { params: { id: int } }), users }),
  ],
])("a schema says of keys what was counted, keys %s: %s", (_, is, schema) => {
  expect(countsAgree(schema, { names } as unknown as Proposal, [miner])).toBe(is)
})

it.each<[string, boolean, string]>([
  ["stay nobody's", true, "other:{x}"],
  ["would be somebody's", false, "strange:{x}"],
])("keys that nobody owned %s: %s", (_, is, pattern) => {
  const strange = new DatabaseMiner(0)
  strange.witnesses.push(["strange:1", undefined])
  expect(countsAgree(made({ a: string(pattern, text) }), { names } as unknown as Proposal, [strange])).toBe(is)
})
