/* Promise: a transaction that fails has written nothing. Commands of Redis refuse some words only when they are carried
 * out, after others of the same script: so what a handle is given is checked before it is sent. */

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import { Random } from "../../../../../test/random.ts"
import { OutcomeUnknown } from "../../errors/outcome.ts"
import { isKeywrightError } from "../../errors/error.ts"
import { bytes } from "../../schema/codec/bytes.ts"
import { bigint, float, int } from "../../schema/codec/number.ts"
import { optional } from "../../schema/codec/wrap.ts"
import { text } from "../../schema/codec/text.ts"
import { bitmap, counter, geo, hash, list, map, set, stream, string, zset } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { sliding, upTo } from "../../schema/ttl.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"
import { type Methods, methodsOf } from "../methods-of.cases.ts"
import { onBothServers } from "../servers.cases.ts"

const schema = keyspace(
  {
    sold: counter("sold"),
    text: string("text", text, { ttl: upTo("30d") }),
    bytes: string("bytes", bytes),
    whole: counter("whole", { ttl: upTo("1h") }),
    float: counter("float", { value: float }),
    big: counter("big", { value: bigint }),
    bigs: map("bigs", text, bigint),
    map: map("map", text, int, { ttl: sliding("1h") }),
    floats: map("floats", text, float),
    hash: hash("hash", { x: optional(int), y: optional(text), f: optional(float) }, { ttl: upTo("9000d") }),
    zset: zset("zset", text, { score: float }),
    best: zset("best", text, { score: int, keep: 5, ttl: "5m" }),
    stream: stream("stream", { f: optional(text) }, { keep: 3 }),
    bits: bitmap("bits", { ttl: "1h" }),
    list: list("list", text, { keep: 4, ttl: "1h" }),
    set: set("set", text),
    geo: geo("geo", text),
  },
  { ttl: "never" },
)
type Db = ClientOf<typeof schema>
/** What the work of a transaction is given. */
type T = Parameters<Parameters<Db["$transaction"]>[0]>[0]
type Kind = keyof typeof present

/** What is there before. */
const present = {
  text: ["SET", "text", "v"],
  bytes: ["SET", "bytes", "v"],
  whole: ["SET", "whole", "7"],
  float: ["SET", "float", "1.5"],
  big: ["SET", "big", "3"],
  bigs: ["HSET", "bigs", "a", "3"],
  map: ["HSET", "map", "a", "1"],
  floats: ["HSET", "floats", "a", "1.5"],
  hash: ["HSET", "hash", "x", "1", "y", "t", "f", "2"],
  zset: ["ZADD", "zset", "1", "a", "2", "b"],
  best: ["ZADD", "best", "1", "a"],
  stream: ["XADD", "stream", "5-5", "f", "v"],
  bits: ["SETBIT", "bits", "5", "1"],
  list: ["RPUSH", "list", "a", "b"],
  set: ["SADD", "set", "a", "b"],
  geo: ["GEOADD", "geo", "1", "1", "a"],
} as const

const HIGHEST = "18446744073709551615"
/** What comes from JSON and from JavaScript in the place of a number, a text, a place or options. */
const odd: readonly unknown[] = [
  ...[undefined, null, true, "", " 5", "5", "x", "0x10", "1e1", [], [5], ["a"], {}, { x: 1 }, { f: 5 }, { f: "*" }],
  ...[-1, 0, 1.5, NaN, Infinity, 1e21, 2 ** 32, 2 ** 53, 5n, 9_000_000_000_000_000_000n, new Date(0), new Date(NaN)],
  ...[[["a", 1]], [["a", "5"]], { id: `${HIGHEST}-${HIGHEST}` }, { id: "5-4" }, { count: -1 }, { ttl: "100000d" }],
  ...[
    { longitude: "x", latitude: 1 },
    { longitude: " 5", latitude: 1 },
    { longitude: 1, latitude: [] },
  ],
  ...[`${HIGHEST}-1`, "99999999999999999999-0", "(1", "-inf", Buffer.from([255]), new Map([["a", 1]]), { only: "x" }],
  ...[{ only: "constructor" }, "\ud800", "a"],
]

/** What takes no part in a transaction: it goes through all elements. */
const passedOver = /^(scan|entries)$/

onBothServers("a transaction that fails has written nothing", (server) => {
  let db: Db
  const raw = (...command: string[]) => server().raw(...command)
  beforeAll(async () => void (db = await connect(schema, server().target)))
  afterAll(() => db?.$close())

  /** An increment, and `work`; the error. */
  const failing = async (work: (t: T) => unknown, operationId?: string): Promise<unknown> => {
    const run = async (t: T) => {
      await t.$blind.sold().increment()
      await work(t)
    }
    const options = operationId === undefined ? {} : { operationId }
    return db.$transaction(run, options).then(
      () => undefined,
      (error: unknown) => error,
    )
  }

  const steps = ["", " 5", true, null, [], [5], {}, "0x10", new Date(0)]
  const cases: Readonly<Record<string, readonly ((t: T) => unknown)[]>> = {
    "an id that no entry can have": ["x", "", `${HIGHEST}0-1`, "99999999999999999999-0", 5].map(
      (id) => (t: T) => t.$blind.stream().remove(id as never),
    ),
    "the step of a counter": steps.map((by) => (t: T) => t.$blind.float().increment(by as never)),
    "the step down of a counter": steps.map((by) => (t: T) => t.$blind.float().decrement(by as never)),
    "the step of a map": steps.map((by) => (t: T) => t.$blind.floats().increment("a", by as never)),
    "the step of a hash": steps.map((by) => (t: T) => t.$blind.hash().increment("f", by as never)),
    "the step of a sorted set": steps.map((by) => (t: T) => t.$blind.zset().increment("a", by as never)),
    "the awaited step of a sorted set": steps.map((by) => (t: T) => t.zset().increment("a", by as never)),
    "a place": steps.flatMap((degrees) => [
      (t: T) => t.$blind.geo().add("a", { longitude: degrees as never, latitude: 1 }),
      (t: T) => t.geo().add("a", { longitude: 1, latitude: degrees as never }),
    ]),
    "fields of a hash": [5, true, "", []].flatMap((body) => [
      (t: T) => t.hash().set(body as never),
      (t: T) => t.$blind.hash().replace(body as never),
    ]),
    "an entry without fields": [{}, 5, [], true].map((value) => (t: T) => t.$blind.stream().append(value as never)),
    "an entry with an id, and a star in it": [(t: T) => t.$blind.stream().append({ f: "*" }, { id: "1-1" })],
    "an unknown condition": ["x", "constructor", null].map(
      (only) => (t: T) => t.$blind.zset().add("a", 1, { only: only as never }),
    ),
  }
  for (const [title, works] of Object.entries(cases))
    test(`${title}: refused before anything is sent`, async () => {
      await raw(...present.stream)
      for (const work of works) {
        expect(await failing(work)).toMatchObject({
          code: expect.stringMatching(/^(CALL\.ARGUMENT|TRANSACTION\.COMMAND)$/),
        })
        expect(await raw("EXISTS", "sold")).toBe(0)
      }
    })

  test("a number that is too small for Redis", async () => {
    await raw("SET", "float", "1e-5000")
    await raw("HSET", "floats", "", "1e-5000")
    expect(await failing((t) => t.$blind.float().increment(1.5))).toMatchObject({ code: "TRANSACTION.NOT_A_NUMBER" })
    expect(await failing((t) => t.$blind.floats().increment("", 1.5))).toMatchObject({
      code: "TRANSACTION.NOT_A_NUMBER",
    })
    expect(await raw("EXISTS", "sold")).toBe(0)
  })

  test("a number that the transaction itself sets, or may set, and that is too large to be added to", async () => {
    const large = 9_000_000_000_000_000_000n
    for (const set of [
      (t: T) => t.$blind.bigs().set("b", large),
      (t: T) => t.$blind.bigs().setIfAbsent("b", large),
      (t: T) => t.bigs().setIfAbsent("b", large),
    ]) {
      const error = await failing(async (t) => {
        await set(t)
        await t.$blind.bigs().increment("b", 4_000_000_000_000_000_000n)
      })
      expect(error).toMatchObject({ code: "TRANSACTION.NOT_A_NUMBER" })
      expect(await raw("EXISTS", "sold", "bigs")).toBe(0)
    }
  })

  test("a stream cannot be given an id after which nothing can be appended", async () => {
    for (const id of [`${HIGHEST}-${HIGHEST}`, `${HIGHEST}-0`, `${HIGHEST}-*`, HIGHEST, "99999999999999999999"])
      await expect(db.stream().append({ f: "v" }, { id })).rejects.toMatchObject({ code: "CALL.ARGUMENT" })
    expect(await db.stream().append({ f: "v" }, { id: "18446744073709551614-5" })).toBe("18446744073709551614-5")
  })

  test("what fails all the same is reported as half written, and not repeated with its operation id", async () => {
    // Another program has used up all ids of the stream.
    await raw("XADD", "stream", `${HIGHEST}-${HIGHEST}`, "f", "v")
    for (const _ of [1, 2, 3]) {
      const error = await failing((t) => t.$blind.stream().append({ f: "v" }), "one-operation")
      expect(error).toBeInstanceOf(OutcomeUnknown)
      expect(error).toMatchObject({ code: "PLAN.HALF_WRITTEN", details: { reason: expect.stringContaining("ID") } })
      expect(await raw("GET", "sold")).toBe("1")
    }
  })

  test("where the first write fails, nothing was written, and that is what is reported", async () => {
    await raw("XADD", "stream", `${HIGHEST}-${HIGHEST}`, "f", "v")
    const append = db.$transaction((t) => t.$blind.stream().append({ f: "v" }), { operationId: "first" })
    await expect(append).rejects.toMatchObject({ code: "SERVER.ERR" })
    expect(await raw("KEYS", "keywright:*")).toEqual([])
  })

  describe("whatever a method is given", () => {
    const rounds = isFull ? 4000 : 400
    const random = new Random(7)

    test(`${rounds} calls of every kind with odd values`, { timeout: 120_000 }, async () => {
      const halves: string[] = []
      for (let round = 0; round < rounds; round++) {
        const kind = random.pick(Object.keys(present) as Kind[])
        const isBlind = random.chance(0.6)
        await raw("DEL", "sold", kind)
        if (random.chance(0.9)) await raw(...present[kind])
        let name: string | undefined
        const args = Array.from({ length: random.int(4) }, () => random.pick(odd))
        const error = await failing((t) => {
          const handle = (isBlind ? t.$blind : t)[kind]() as unknown as Methods
          name ??= random.pick(methodsOf(handle).filter((one) => !passedOver.test(one)))
          return handle[name]!(...args)
        })
        if (error === undefined) continue
        const call = `${isBlind ? "$blind." : ""}${kind}.${name}(${args.map(String).join(", ")}): ${String(error)}`
        if (!isKeywrightError(error) || (await raw("EXISTS", "sold")) === 1) halves.push(call)
      }
      expect(halves).toEqual([])
    })
  })
})
