/* Arguments of types that the compiler would refuse, as they come from JSON and from JavaScript: every
 * call works or is refused with a code. None throws at once, none ends with an error of the engine, none waits. */

import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import * as z from "zod"
import { json } from "../schema/codec/json.ts"
import { text } from "../schema/codec/text.ts"
import { bitmap, counter, geo, hash, hyperloglog, list, map, set, stream, string, zset } from "../schema/define.ts"
import { family, scope } from "../schema/group.ts"
import { keyspace } from "../schema/keyspace.ts"
import { layout } from "../schema/layout.ts"
import { sharded } from "../schema/sharded.ts"
import { arrayOf, step } from "../schema/step.ts"
import { connect } from "./connect.ts"
import { type Methods, methodsOf } from "./methods-of.cases.ts"

const record = layout({
  key: "{entity}:{id}",
  counter: "{entity}:n",
  all: "{entity}:list",
  index: "{entity}:{index}:{value}",
})
const Doc = z.looseObject({ id: z.string(), team: z.string().optional(), email: z.string().optional() })
const kinds = {
  string: string("s:{id}", text),
  json: string("j:{id}", json(z.any())),
  counter: counter("c:{id}"),
  hash: hash("h:{id}", { a: text, b: text }),
  map: map("m:{id}", text, text),
  set: set("st:{id}", text),
  zset: zset("z:{id}", text),
  list: list("l:{id}", text),
  stream: stream("x:{id}", { a: text }),
  bitmap: bitmap("b:{id}"),
  hyperloglog: hyperloglog("hl:{id}", text),
  geo: geo("g:{id}", text),
}
const script = "-- KEYS: strings  ARGV: words, word\nreturn 1"
const schema = keyspace(
  {
    ...kinds,
    record: record("rec", json(Doc), { index: { team: "team" }, unique: { email: "email" } }),
    tenant: scope("t:{tenant}:", { note: string("note:{id}", text) }),
    family: family(
      "fam:{fam}:",
      { ttl: "1h", marker: "name" },
      { name: string("name", text), tags: set("tags", text) },
    ),
    noShards: sharded(0, "user", { note: string("plain:{user}:{id}", text) }),
    shards: sharded(4, "user", { note: string("note:{id}", text), total: counter("total") }),
  },
  { ttl: "never", steps: { all: step({ keys: ["string[]"], args: { words: arrayOf(text), word: text }, script }) } },
)

const hostile: readonly unknown[] = [
  ...[undefined, null, 7, NaN, true, "", "x", Symbol("s"), 1n, () => 7],
  ...[
    [],
    [null],
    [7],
    {},
    { a: 1 },
    { length: 2 },
    { signal: {} },
    { timeoutMs: "x" },
    { toString: 1 },
    { limit: { toString: 1 }, offset: "x" },
  ],
]
const calls = [
  [],
  ...hostile.flatMap((one) => [
    ...[[one], ["x", one], [one, one], ["x", "x", one], ["team", one], ["email", one]],
    ...[
      ["team", { team: "x" }, one],
      ["email", { email: "x" }, one],
      [{ id: "1", team: "x" }, one],
      ["1", { id: "1", team: one }],
      [{ id: one, team: one, email: one }],
    ],
  ]),
] as const

/** What becomes of a call, if that is not an answer or a refusal with a code. */
async function mistakeOf(call: () => unknown): Promise<string | undefined> {
  let result: unknown
  try {
    result = call()
  } catch (error) {
    return `throws at once: ${String(error)}`
  }
  const isMany = typeof (result as AsyncIterable<unknown> | undefined)?.[Symbol.asyncIterator] === "function"
  try {
    await (isMany ? (result as AsyncIterable<unknown>)[Symbol.asyncIterator]().next() : result)
    return undefined
  } catch (error) {
    const code = (error as { code?: unknown } | null)?.code
    return typeof code === "string" && /^[A-Z]+\.[A-Z_]+$/.test(code)
      ? undefined
      : String((error as Error | null)?.stack ?? error)
  }
}

async function mistakesIn(
  object: object,
  names: readonly string[],
  calling = (call: () => unknown) => call,
): Promise<object> {
  const found: Record<string, string> = {}
  for (const name of names)
    for (const args of calls) {
      const mistake = await mistakeOf(calling(() => (object as Methods)[name]!(...args)))
      if (mistake !== undefined)
        found[
          `${name}(${args.map((one) => (typeof one === "object" ? JSON.stringify(one) : String(one))).join(", ")})`
        ] = mistake
    }
  return found
}

const open = () => connect(schema, "memory:", { timeoutMs: 20_000 })
let db: Awaited<ReturnType<typeof open>>
beforeAll(async () => void (db = await open()))
beforeEach(() => db.$driver().send(["FLUSHALL"]))
afterAll(() => db?.$close())

for (const kind of Object.keys(kinds) as (keyof typeof kinds)[])
  it(`every call of a ${kind}`, async () => {
    const handle = db[kind]({ id: "1" })
    const names = methodsOf(handle)
    expect(names.length).toBeGreaterThan(8)
    expect(await mistakesIn(handle, names)).toEqual({})
  })

it("every call of an entity", async () => expect(await mistakesIn(db.record, methodsOf(db.record))).toEqual({}))

it("every call of an entity in a transaction", async () => {
  const names = methodsOf(db.record).filter((name) => name !== "scan")
  for (const name of names) {
    const own = {
      [name]: (...args: unknown[]) =>
        db.$transaction((tx) => (tx.record as never as Methods)[name]!(...args) as Promise<unknown>),
    }
    expect(await mistakesIn(own, [name])).toEqual({})
  }
})

it("every call of a family", async () => {
  const own = db.family({ fam: "1" })
  expect(await mistakesIn(own, ["$fill", "$read", "$touch", "$drop", "$load", "$change"])).toEqual({})
  for (const one of hostile) expect(await mistakeOf(() => own.$load(async () => one as never))).toBeUndefined()
})

it("every step", async () => {
  expect(await mistakesIn(db.$steps, ["all"])).toEqual({})
  const input = { string: [], words: [], word: "x" }
  for (const name of Object.keys(input))
    for (const one of hostile)
      expect(await mistakeOf(() => db.$steps.all({ ...input, [name]: one } as never))).toBeUndefined()
})

it("every call of the toolbox", async () =>
  expect(
    await mistakesIn(db, ["$batch", "$multi", "$transaction", "$explain", "$getMany", "$ready", "$sweep"]),
  ).toEqual({}))

it("parameters of keys and groups", async () => {
  // These throw at once, as they return no promise.
  const later = (call: () => unknown) => async () => call()
  expect(await mistakesIn(db, ["string", "tenant", "family", "shards"], later)).toEqual({})
  expect(await mistakesIn(db.string, ["scan", "parse"], later)).toEqual({})
  expect(await mistakesIn(db.shards.merged, ["total"], later)).toEqual({})
})

it("notes from JSON do not make a write one that may be sent twice, or before its transaction commits", async () => {
  const notes: object = JSON.parse('{"safe":true,"read":"replica"}')
  const ids = ["incremented", "set", "deleted"]
  for (const id of ids) await db.counter({ id }).set(1)
  await db.list({ id: "from" }).pushLeft("item")
  const working = db.$transaction(async (t) => {
    await t.counter({ id: "incremented" }).increment(1, notes)
    await t.counter({ id: "set" }).set(7, notes)
    await t.counter({ id: "deleted" }).delete(notes)
    await t.record.create({ id: "created" }, notes)
    const list = t.list({ id: "from" }) as unknown as {
      move(to: object, ends: object, notes: object): Promise<unknown>
    }
    await list.move(t.list({ id: "to" }), { from: "left", to: "left" }, notes).catch(() => undefined)
    throw new Error("not committed")
  })
  await expect(working).rejects.toThrow("not committed")
  expect(await db.$getMany(ids.map((id) => db.counter({ id })))).toEqual([1, 1, 1])
  expect(await db.record.get("created")).toBeUndefined()
  expect(await db.list({ id: "to" }).length()).toBe(0)
})

it("a deadline or entries that are a text are refused", async () => {
  const number = db.counter({ id: "text" })
  await expect(number.get({ timeoutMs: "5000" as never })).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
  const scores = db.zset({ id: "text" })
  await scores.add("a", 1)
  await expect(scores.replace("" as never)).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
  expect(await scores.size()).toBe(1)
})

it("a group is not bound by what a prototype has, and not without its parameters", () => {
  const bind = db.tenant as (params?: unknown) => unknown
  const given = [
    undefined,
    {},
    { tenant: undefined },
    Object.create({ tenant: "a" }),
    JSON.parse('{"__proto__":{"tenant":"a"}}'),
  ]
  for (const one of given) expect(() => bind(one)).toThrow(expect.objectContaining({ code: "KEY.MISSING_PARAM" }))
  const user = JSON.parse('{"__proto__":{"user":"a"}}')
  for (const one of [undefined, {}, Object.create({ user: "a" }), user])
    for (const group of [db.shards, db.noShards])
      expect(() => group(one)).toThrow(expect.objectContaining({ code: "KEY.MISSING_PARAM" }))
  const note = JSON.parse('{"__proto__":{"id":"hidden"}}')
  expect(() => db.tenant({ tenant: "a" }).note(note)).toThrow(expect.objectContaining({ code: "KEY.MISSING_PARAM" }))
})

it("ids of a stream bring no options", async () => {
  const events = db.stream({ id: "claimed" })
  for (const id of ["LASTID", "FORCE", "1-1 ", "", 7])
    await expect(events.claim("g", "w", ["1-1", id as string], { idleMs: 0 })).rejects.toMatchObject({
      code: "CALL.ARGUMENT",
    })
})

it("a limit below 0 is not taken for none", async () => {
  const index = (on: typeof db) => on.record.list("team", { team: "a" }, { limit: -1 })
  await expect(index(db)).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
  await expect(db.$transaction((t) => index(t as never))).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
  await expect(db.record.ids({ limit: -1 })).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
})
