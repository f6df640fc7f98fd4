/* Every row of the table as two schemas that differ in it, and what their programs do with it.
 * verdicts.test.ts runs the programs of both on a real server. */

import * as z from "zod"
import {
  anyOf,
  bigint,
  bitmap,
  bytes,
  compactDay,
  compressed,
  counter,
  csv,
  database,
  day,
  decimal,
  either,
  entity,
  fixed,
  flag,
  float,
  geo,
  hash,
  hyperloglog,
  id,
  int,
  isoInstant,
  json,
  keyspace,
  list,
  looseFlag,
  many,
  map,
  month,
  oneOf,
  optional,
  packedInts,
  replicated,
  sameIds,
  scope,
  secret,
  set,
  sliding,
  stream,
  string,
  tagged,
  text,
  unixMillis,
  unixSeconds,
  upTo,
  zset,
  type Keyspace,
} from "../../index.ts"
import type { Code } from "./change-codes.ts"

export interface Scene {
  readonly title: string
  readonly codes: readonly Code[]
  readonly before: Keyspace
  readonly after: Keyspace
  /** Records that programs of both schemas may write, where the entry is an entity; each is changed to the next. */
  readonly records?: { readonly before: readonly object[]; readonly after: readonly object[] }
  /** Names of entries in the old and in the new schema, where they are not one `x` in both. */
  readonly names?: readonly [before: string, after: string]
  /** Fields that both mean by other names: the old one's, with the new one's. */
  readonly renamed?: Readonly<Record<string, string>>
  /** Why it is compared and not run. */
  readonly onlyCompared?: string
}

type Entry = Parameters<typeof keyspace>[0][string]

const forever = { ttl: "never" } as const

/** Two keyspaces with one entry each, `x`. */
const scene = (codes: Code | readonly Code[], before: Entry, after: Entry, more: Partial<Scene> = {}): Scene => {
  const list = typeof codes === "string" ? [codes] : codes
  return {
    title: list.join(", ") || "no change",
    codes: list,
    before: keyspace({ x: before }, forever) as Keyspace,
    after: keyspace({ x: after }, forever) as Keyspace,
    ...more,
  }
}

const value = (
  codes: Code | readonly Code[],
  before: Parameters<typeof string>[1],
  after: Parameters<typeof string>[1],
) => scene(codes, string("x:{id}", before), string("x:{id}", after))

const status = (...values: [string, ...string[]]) => z.object({ id: z.string(), status: z.enum(values) })
const person = z.object({ id: z.string(), name: z.string(), email: z.string(), age: z.int() })
const people = [
  { id: "1", name: "Ada", email: "ada@example.com", age: 36 },
  { id: "2", name: "Bob", email: "bob@example.com", age: 7 },
  { id: "3", name: "Ada", email: "ada@example.com", age: 36 },
]
const both = (records: readonly object[]) => ({ records: { before: records, after: records } })
const plainPerson = entity("x:{id}", json(person))

const document = (codes: Code | readonly Code[], before: z.ZodType, after: z.ZodType) =>
  scene(codes, string("x:{id}", json(before)), string("x:{id}", json(after)))

export const scenes: readonly Scene[] = [
  // ── names ────────────────────────────────────────────────────────────────
  {
    ...scene("NAME.ENTRY", string("x:{id}", text), string("x:{id}", text)),
    after: keyspace({ y: string("x:{id}", text, { was: "x" }) }, forever) as Keyspace,
    names: ["x", "y"],
  },
  scene("NAME.ID", string("x:{a}", id("cart")), string("x:{a}", id("basket"))),
  scene([], string("x:{a}", text), string("x:{b}", text, { doc: "The same.", deprecated: "no", when: "always" })),

  // ── patterns ─────────────────────────────────────────────────────────────
  scene("PATTERN.MOVED", string("x:{id}", text), string("y:{id}", text)),
  scene("PATTERN.MOVED", string("x:{id}", text), string("x:{id}:v", text)),
  scene("PATTERN.PARAMS", string("x:{a}", text), string("x:{a}:{b}", text)),
  scene("PATTERN.PARAMS", string("x:{a}:{b}", text), string("x:{b}:{a}", text)),
  scene("TAG.CHANGED", string("x:{id}", text), string("x:{{id}}", text)),
  {
    ...scene("DB.MOVED", string("x:{id}", text), string("x:{id}", text)),
    before: keyspace({ d: database(0, "one", { x: string("x:{id}", text) }) }, forever) as Keyspace,
    after: keyspace({ d: database(3, "other", { x: string("x:{id}", text) }) }, forever) as Keyspace,
    names: ["d.x", "d.x"],
  },
  {
    ...scene("PATTERN.MOVED", string("x:{id}", text), string("x:{id}", text)),
    title: "PATTERN.MOVED by the prefix of a scope",
    before: keyspace({ d: scope("a:", { x: string("x:{id}", text) }) }, forever) as Keyspace,
    after: keyspace({ d: scope("b:", { x: string("x:{id}", text) }) }, forever) as Keyspace,
    names: ["d.x", "d.x"],
  },
  scene(
    "PARAM.SPELLING",
    string("x:{d}", text, { params: { d: day } }),
    string("x:{d}", text, { params: { d: compactDay } }),
  ),
  scene(
    "PARAM.SPELLING",
    string("x:{t}", text, { params: { t: unixSeconds } }),
    string("x:{t}", text, { params: { t: unixMillis } }),
  ),
  scene("PARAM.WIDENED", string("x:{a}", text, { params: { a: int } }), string("x:{a}", text)),
  scene("PARAM.NARROWED", string("x:{a}", text), string("x:{a}", text, { params: { a: int } })),
  scene(
    "PARAM.NARROWED",
    string("x:{a}", text, { params: { a: id("a") } }),
    string("x:{a}", text, { params: { a: id("a", { matching: /[0-9a-f]+/, example: "0a" }) } }),
  ),

  // ── kinds ────────────────────────────────────────────────────────────────
  scene("KIND.TYPE", string("x:{id}", text), list("x:{id}", text)),
  scene("KIND.TYPE", list("x:{id}", text), string("x:{id}", text)),
  scene("KIND.TYPE", list("x:{id}", text), set("x:{id}", text)),
  scene("KIND.TYPE", hash("x:{id}", { a: text }), string("x:{id}", json(z.object({ a: z.string() })))),
  scene("KIND.TYPE", set("x:{id}", text), zset("x:{id}", text)),
  scene("KIND.SAME_TYPE", hash("x:{id}", { a: text }), map("x:{id}", text, text)),
  scene("KIND.SAME_TYPE", map("x:{id}", text, text), hash("x:{id}", { a: text })),
  scene("KIND.SAME_TYPE", string("x:{id}", int), counter("x:{id}")),
  scene("KIND.SAME_TYPE", string("x:{id}", text), counter("x:{id}")),
  scene("KIND.SAME_TYPE", counter("x:{id}"), string("x:{id}", text)),
  scene("KIND.SAME_TYPE", zset("x:{id}", text), geo("x:{id}", text)),
  scene("KIND.SAME_TYPE", geo("x:{id}", text), zset("x:{id}", text)),
  scene("KIND.SAME_TYPE", string("x:{id}", text), bitmap("x:{id}")),
  scene("KIND.SAME_TYPE", bitmap("x:{id}"), string("x:{id}", text)),
  scene("KIND.SAME_TYPE", bitmap("x:{id}"), counter("x:{id}")),
  scene("KIND.SAME_TYPE", counter("x:{id}"), bitmap("x:{id}")),
  scene("KIND.SAME_TYPE", hyperloglog("x:{id}", text), string("x:{id}", text)),
  scene("KIND.SAME_TYPE", string("x:{id}", text), hyperloglog("x:{id}", text)),
  scene("KIND.SAME_TYPE", bitmap("x:{id}"), hyperloglog("x:{id}", text)),
  scene("KIND.SAME_TYPE", hyperloglog("x:{id}", text), bitmap("x:{id}")),
  scene("KIND.SAME_TYPE", counter("x:{id}"), hyperloglog("x:{id}", text)),
  scene("KIND.SAME_TYPE", hyperloglog("x:{id}", text), counter("x:{id}")),

  // ── codecs ───────────────────────────────────────────────────────────────
  value("CODEC.WIDENED", int, float),
  value("CODEC.WIDENED", int, text),
  value("CODEC.WIDENED", int, decimal),
  value("CODEC.WIDENED", flag, looseFlag),
  value("CODEC.WIDENED", day, text),
  value("CODEC.WIDENED", oneOf("a", "b"), text),
  value("CODEC.WIDENED", compactDay, anyOf(compactDay, oneOf("total"))),
  value("CODEC.WIDENED", int, bigint),
  value("CODEC.WIDENED", many(int, ",", { length: 2 }), many(int)),
  value("CODEC.WIDENED", tagged({ u_: id("user") }), tagged({ u_: id("user"), c_: id("channel") })),
  value("CODEC.NARROWED", float, int),
  value("CODEC.NARROWED", text, int),
  value("CODEC.NARROWED", looseFlag, flag),
  value(["CODEC.NARROWED", "NAME.ID"], text, id("word", { matching: /[a-z]+/, example: "abc" })),
  scene("FIELD.TYPE", string("x:{id}", json(z.unknown())), string("x:{id}", json(z.object({ a: z.number() })))),
  value("CODEC.REPLACED", isoInstant, unixMillis),
  value("CODEC.REPLACED", day, compactDay),
  value("CODEC.REPLACED", month, day),
  value("CODEC.REPLACED", many(int, ";", { length: 2 }), many(int, ",", { length: 2 })),
  value("CODEC.AMBIGUOUS", unixSeconds, unixMillis),
  value("CODEC.AMBIGUOUS", unixMillis, unixSeconds),
  value("CODEC.AMBIGUOUS", int, unixSeconds),
  value("CODEC.AMBIGUOUS", flag, int),
  value("CODEC.COMPRESSED", json(z.object({ a: z.string() })), compressed(json(z.object({ a: z.string() })))),
  value("CODEC.COMPRESSED", compressed(json(z.object({ a: z.string() }))), json(z.object({ a: z.string() }))),
  value("CODEC.COMPRESSED", compressed(text), text),
  value("CODEC.COMPRESSED", text, compressed(text)),
  value("CODEC.REPLACED", packedInts, many(int)),
  value("CODEC.AMBIGUOUS", text, bytes),
  scene("CODEC.NARROWED", set("x:{id}", text), set("x:{id}", int)),
  scene("CODEC.WIDENED", list("x:{id}", int), list("x:{id}", float)),
  scene("CODEC.AMBIGUOUS", map("x:{id}", text, unixSeconds), map("x:{id}", text, unixMillis)),
  scene("CODEC.REPLACED", map("x:{id}", day, int), map("x:{id}", compactDay, int)),
  scene("SCORE.CODEC", zset("x:{id}", text, { score: unixSeconds }), zset("x:{id}", text, { score: unixMillis })),
  scene("SCORE.CODEC", zset("x:{id}", text, { score: int }), zset("x:{id}", text, { score: unixSeconds })),
  value("COLUMN.ADDED", csv({ a: int, b: int }), csv({ a: int, b: int, c: int })),
  value("COLUMN.REMOVED", csv({ a: int, b: int, c: int }), csv({ a: int, b: int })),
  value("COLUMN.ORDER", csv({ a: int, b: int }), csv({ b: int, a: int })),
  value("COLUMN.ORDER", csv({ a: int, b: day }), csv({ b: day, a: int })),
  value("CODEC.WIDENED", csv({ a: int, b: int }), csv({ a: int, b: text })),
  value([], csv({ a: int, b: int }), csv({ x: int, y: int })),

  // ── fields ───────────────────────────────────────────────────────────────
  document("FIELD.ADDED", z.object({ a: z.string() }), z.object({ a: z.string(), b: z.string().optional() })),
  document("FIELD.REMOVED", z.object({ a: z.string(), b: z.string().optional() }), z.object({ a: z.string() })),
  document("FIELD.DEFAULTED", z.object({ a: z.string() }), z.object({ a: z.string(), b: z.string().default("x") })),
  document("FIELD.REQUIRED", z.object({ a: z.string() }), z.object({ a: z.string(), b: z.string() })),
  document(
    "FIELD.REQUIRED",
    z.object({ a: z.string(), b: z.string().optional() }),
    z.object({ a: z.string(), b: z.string() }),
  ),
  document("FIELD.RELAXED", z.object({ a: z.string(), b: z.string() }), z.object({ a: z.string() })),
  document(
    "FIELD.RELAXED",
    z.object({ a: z.string(), b: z.string() }),
    z.object({ a: z.string(), b: z.string().optional() }),
  ),
  {
    ...document(
      "FIELD.RENAMED",
      z.object({ a: z.string(), b: z.string() }),
      z.object({ a: z.string(), c: z.string().meta({ was: "b" }) }),
    ),
    renamed: { b: "c" },
  },
  {
    ...document(
      "FIELD.RENAMED",
      z.object({ a: z.string(), b: z.string().optional() }),
      z.object({ a: z.string(), c: z.string().optional().meta({ was: "b" }) }),
    ),
    renamed: { b: "c" },
  },
  document("FIELD.TYPE", z.object({ a: z.string() }), z.object({ a: z.number() })),
  document("FIELD.TYPE", z.object({ a: z.string() }), z.object({ a: z.string().nullable() })),
  document("FIELD.TYPE", z.object({ a: z.int() }), z.object({ a: z.number() })),
  document("FIELD.TYPE", z.object({ a: z.enum(["x", "y"]) }), z.object({ a: z.string() })),
  document("ENUM.ADDED", status("new", "paid"), status("new", "paid", "sent")),
  document("ENUM.REMOVED", status("new", "paid", "sent"), status("new", "paid")),
  document(["ENUM.ADDED", "ENUM.REMOVED"], status("new", "paid"), status("new", "sent")),
  document("LIMIT.TIGHTENED", z.object({ a: z.number() }), z.object({ a: z.number().min(0) })),
  document("LIMIT.TIGHTENED", z.object({ a: z.string() }), z.object({ a: z.string().max(5) })),
  document("LIMIT.LOOSENED", z.object({ a: z.number().max(5) }), z.object({ a: z.number().max(9) })),
  document("LIMIT.LOOSENED", z.object({ a: z.array(z.int()).max(1) }), z.object({ a: z.array(z.int()).max(3) })),
  document("CONTENT.CLOSED", z.object({ a: z.string() }), z.strictObject({ a: z.string() })),
  document("CONTENT.OPENED", z.strictObject({ a: z.string() }), z.object({ a: z.string() })),
  document(
    "FIELD.ADDED",
    z.strictObject({ a: z.string() }),
    z.strictObject({ a: z.string(), b: z.string().optional() }),
  ),
  document(
    "FIELD.REMOVED",
    z.strictObject({ a: z.string(), b: z.string().optional() }),
    z.strictObject({ a: z.string() }),
  ),
  document("FIELD.RELAXED", z.strictObject({ a: z.string(), b: z.string() }), z.strictObject({ a: z.string() })),
  document("FIELD.REQUIRED", z.strictObject({ a: z.string() }), z.strictObject({ a: z.string(), b: z.string() })),
  value("ENUM.ADDED", oneOf("a", "b"), oneOf("a", "b", "c")),
  value("ENUM.REMOVED", oneOf("a", "b", "c"), oneOf("a", "b")),
  value("LIMIT.TIGHTENED", int, int({ min: 0 })),
  value("LIMIT.LOOSENED", int({ min: 0, max: 5 }), int({ min: 0, max: 9 })),
  value(["LIMIT.LOOSENED", "LIMIT.TIGHTENED"], int({ min: 0, max: 5 }), int({ min: 3, max: 9 })),
  scene("FIELD.ADDED", hash("x:{id}", { a: text }), hash("x:{id}", { a: text, b: optional(text) })),
  scene("FIELD.REMOVED", hash("x:{id}", { a: text, b: optional(text) }), hash("x:{id}", { a: text })),
  scene("FIELD.REQUIRED", hash("x:{id}", { a: text }), hash("x:{id}", { a: text, b: text })),
  scene("FIELD.RELAXED", hash("x:{id}", { a: text, b: text }), hash("x:{id}", { a: text })),
  scene("FIELD.RELAXED", hash("x:{id}", { a: text, b: text }), hash("x:{id}", { a: text, b: optional(text) })),
  scene("CODEC.AMBIGUOUS", hash("x:{id}", { a: unixSeconds }), hash("x:{id}", { a: unixMillis })),
  scene("ENUM.REMOVED", stream("x", { a: oneOf("a", "b") }), stream("x", { a: oneOf("a") })),

  // ── entities ─────────────────────────────────────────────────────────────
  scene("STORE.CHANGED", plainPerson, entity("x:{id}", { id: text, name: text, email: text, age: int }), both(people)),
  scene("STORE.CHANGED", entity("x:{id}", { id: text, name: text, email: text, age: int }), plainPerson, both(people)),
  scene("INDEX.ADDED", plainPerson, entity("x:{id}", json(person), { index: { name: "x:name:{name}" } }), both(people)),
  scene(
    "INDEX.DROPPED",
    entity("x:{id}", json(person), { index: { name: "x:name:{name}" } }),
    plainPerson,
    both(people),
  ),
  scene(
    "INDEX.CHANGED",
    entity("x:{id}", json(person), { index: { name: "x:name:{name}" } }),
    entity("x:{id}", json(person), { index: { name: "x:byname:{name}" } }),
    both(people),
  ),
  scene(
    "INDEX.CHANGED",
    entity("x:{id}", json(person), { index: { name: "x:name:{name}" } }),
    entity("x:{id}", json(person), { index: { name: { patterns: "x:name:{name}", where: { age: 7 } } } }),
    both(people),
  ),
  scene(
    "MIRROR.ADDED",
    entity("x:{id}", json(person), { index: { name: "x:name:{name}" } }),
    entity("x:{id}", json(person), { index: { name: ["x:name:{name}", "name:{name}:x"] } }),
    both(people),
  ),
  scene(
    "MIRROR.REMOVED",
    entity("x:{id}", json(person), { index: { name: ["x:name:{name}", "name:{name}:x"] } }),
    entity("x:{id}", json(person), { index: { name: "x:name:{name}" } }),
    both(people),
  ),
  scene(
    "UNIQUE.ADDED",
    plainPerson,
    entity("x:{id}", json(person), { unique: { email: "x:email:{email}" } }),
    both(people),
  ),
  scene(
    "UNIQUE.DROPPED",
    entity("x:{id}", json(person), { unique: { email: "x:email:{email}" } }),
    plainPerson,
    both(people),
  ),
  scene(
    "UNIQUE.CHANGED",
    entity("x:{id}", json(person), { unique: { email: "x:email:{email}" } }),
    entity("x:{id}", json(person), { unique: { email: "x:mail:{email}" } }),
    both(people),
  ),
  scene("ALL.ADDED", plainPerson, entity("x:{id}", json(person), { all: "x:all" }), both(people)),
  scene("ALL.DROPPED", entity("x:{id}", json(person), { all: "x:all" }), plainPerson, both(people)),
  scene(
    "ALL.MOVED",
    entity("x:{id}", json(person), { all: "x:all" }),
    entity("x:{id}", json(person), { all: "x:list" }),
    both(people),
  ),
  scene(
    ["IDS.SOURCE", "COUNTER.ADDED"],
    plainPerson,
    entity("x:{id}", json(person), { counter: "x:next" }),
    both(people),
  ),
  scene(
    ["IDS.SOURCE", "COUNTER.DROPPED"],
    entity("x:{id}", json(person), { counter: "x:next" }),
    plainPerson,
    both(people),
  ),
  scene(
    "COUNTER.MOVED",
    entity("x:{id}", json(person), { counter: "x:next" }),
    entity("x:{id}", json(person), { counter: "x:counter" }),
    both(people),
  ),
  scene("STAMPS.ADDED", plainPerson, entity("x:{id}", json(person), { stamps: ["createdAt"] }), both(people)),
  scene("STAMPS.REMOVED", entity("x:{id}", json(person), { stamps: ["createdAt"] }), plainPerson, both(people)),
  scene("ENUM.REMOVED", entity("x:{id}", json(status("a", "b"))), entity("x:{id}", json(status("a"))), {
    records: {
      before: [
        { id: "1", status: "a" },
        { id: "2", status: "b" },
      ],
      after: [
        { id: "1", status: "a" },
        { id: "2", status: "a" },
      ],
    },
  }),
  scene("ENUM.ADDED", entity("x:{id}", json(status("a"))), entity("x:{id}", json(status("a", "b"))), {
    records: {
      before: [
        { id: "1", status: "a" },
        { id: "2", status: "a" },
      ],
      after: [
        { id: "1", status: "a" },
        { id: "2", status: "b" },
      ],
    },
  }),
  scene("DURABILITY.LOWERED", entity("x:{id}", json(person), { durability: replicated(1) }), plainPerson, {
    onlyCompared: "what is lost, is lost by a failover",
  }),
  scene("PATTERN.MOVED", plainPerson, entity("y:{id}", json(person)), both(people)),

  // ── how long, and how much ───────────────────────────────────────────────
  scene("TTL.ADDED", string("x:{id}", text), string("x:{id}", text, { ttl: "30d" })),
  scene("TTL.REMOVED", string("x:{id}", text, { ttl: "30d" }), string("x:{id}", text)),
  scene("TTL.SHORTENED", string("x:{id}", text, { ttl: "30d" }), string("x:{id}", text, { ttl: "7d" })),
  scene("TTL.LENGTHENED", string("x:{id}", text, { ttl: "7d" }), string("x:{id}", text, { ttl: "30d" })),
  scene("TTL.SHORTENED", list("x:{id}", text, { ttl: sliding("30d") }), list("x:{id}", text, { ttl: sliding("7d") })),
  scene("TTL.SHORTENED", string("x:{id}", text, { ttl: "30d" }), string("x:{id}", text, { ttl: upTo("30d") })),
  scene("TTL.ADDED", string("x:{id}", text, { ttl: either("1d", "never") }), string("x:{id}", text, { ttl: "1d" })),
  scene("TTL.MODE", string("x:{id}", text, { ttl: "1d" }), string("x:{id}", text, { ttl: sliding("1d") })),
  scene("TTL.MODE", string("x:{id}", text, { ttl: sliding("1d") }), string("x:{id}", text, { ttl: "1d" })),
  scene("TTL.MODE", counter("x:{id}", { ttl: fixed("1d") }), counter("x:{id}", { ttl: "1d" })),
  scene("TTL.MODE", counter("x:{id}", { ttl: "1d" }), counter("x:{id}", { ttl: fixed("1d") })),
  scene("KEEP.LOWERED", list("x:{id}", text, { keep: 30 }), list("x:{id}", text, { keep: 3 })),
  scene("KEEP.RAISED", list("x:{id}", text, { keep: 3 }), list("x:{id}", text, { keep: 30 })),
  scene("KEEP.LOWERED", zset("x:{id}", text), zset("x:{id}", text, { keep: 3 })),
  scene("KEEP.RAISED", zset("x:{id}", text, { keep: 3 }), zset("x:{id}", text)),

  // ── marks and rules ──────────────────────────────────────────────────────
  value("SECRET.ADDED", text, secret(text)),
  value("SECRET.REMOVED", secret(text), text),
  {
    ...scene("INVARIANT.ADDED", set("x", id("t")), set("x", id("t"))),
    before: keyspace({ x: set("x", id("t")), y: set("y", id("t")) }, forever) as Keyspace,
    after: keyspace(
      { x: set("x", id("t")), y: set("y", id("t")) },
      { ...forever, invariants: [sameIds(id("t"), ["x", "y"])] },
    ) as Keyspace,
  },
]

type Codec = Parameters<typeof string>[1]

/** Random pairs of codecs, TTLs, patterns and parameters for one key: several changes at once, the same for the same number. */
export function compounds(count: number): Scene[] {
  let state = 42
  const pick = <T>(all: readonly T[]): T => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return all[Math.floor((state / 2 ** 32) * all.length)]!
  }
  const codecs: readonly Codec[] = [
    text,
    int,
    float,
    day,
    compactDay,
    unixSeconds,
    unixMillis,
    oneOf("a", "b"),
    oneOf("a"),
    int({ min: 0 }),
    json(status("x", "y")),
    json(status("x")),
  ]
  const ttls = ["never", "1d", "30d", sliding("1d")] as const
  const patterns = ["x:{id}", "x:{id}", "x:{id}", "y:{id}"] as const
  const params = [text, text, int] as const
  const make = () =>
    keyspace({ x: string(pick(patterns), pick(codecs), { ttl: pick(ttls), params: { id: pick(params) } }) }) as Keyspace
  return Array.from({ length: count }, (_, i) => ({
    title: `compound ${i}`,
    codes: ["CODEC.REPLACED"],
    before: make(),
    after: make(),
  }))
}
