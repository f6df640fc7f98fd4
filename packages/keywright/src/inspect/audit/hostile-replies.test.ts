/* A server that answers every command with the same odd reply. Whatever is called then settles
 * with a value, or with an error of ours that has a stable code: never with a TypeError, never late. */

import { describe, expect, test } from "vitest"
import { z } from "zod"
import { isFull } from "../../../../../test/full.ts"
import { startHostile } from "../../../../../test/hostile-server.ts"
import { KeywrightError } from "../../errors/error.ts"
import { int, float } from "../../schema/codec/number.ts"
import { json } from "../../schema/codec/json.ts"
import { text } from "../../schema/codec/text.ts"
import { bitmap, counter, geo, hash, hyperloglog, list, map, set, stream, string, zset } from "../../schema/define.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { layout } from "../../schema/layout.ts"
import { audit } from "./audit.ts"
import { doctor } from "../doctor/doctor.ts"
import { infer } from "../infer/infer.ts"
import { inspectKey } from "../model/inspect-key.ts"
import { stats } from "../stats/stats.ts"
import { exportKeys } from "../../change/copy/export-keys.ts"
import { planPurge } from "../../change/make-plan/plan-purge.ts"
import { connect } from "../../client/connect.ts"

const record = layout({
  key: "{entity}:{id}",
  counter: "{entity}:counter",
  all: "{entity}:list",
  index: "{entity}:index:{index}:{value}",
})

const all = keyspace(
  {
    text: string("text:{id}", text),
    cache: string("cache:{id}", text, { ttl: "1m" }),
    count: counter("count:{id}"),
    fields: hash("fields:{id}", { name: text, age: int }),
    map: map("map:{id}", text, int),
    list: list("list:{id}", text),
    set: set("set:{id}", text),
    zset: zset("zset:{id}", text, { score: float }),
    stream: stream("stream:{id}", { message: text }),
    bits: bitmap("bits:{id}"),
    log: hyperloglog("log:{id}", text),
    geo: geo("geo:{id}", text),
    dish: record("dish", json(z.object({ id: z.string(), name: z.string(), group: z.string(), stock: z.int() })), {
      unique: { name: "name" },
      index: { group: "group" },
    }),
  },
  { ttl: "never" },
)

const open = (url: string) => connect(all, url, { timeoutMs: 400 })
type Db = Awaited<ReturnType<typeof open>>
const id = { id: "1" }
const drain = async (elements: AsyncIterable<unknown>) => {
  let count = 0
  for await (const _ of elements) if (++count > 1000) return count
  return count
}
const dish = { name: "Pho", group: "soup", stock: 3 }

const CALLS: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  "string get": (db) => db.text(id).get(),
  "string set": (db) => db.text(id).set("x"),
  "string set with a ttl": (db) => db.cache(id).set("x"),
  "string setIfAbsent": (db) => db.text(id).setIfAbsent("x"),
  "string getAndSet": (db) => db.text(id).getAndSet("x"),
  "string take": (db) => db.text(id).take(),
  "string length": (db) => db.text(id).length(),
  "string once": (db) => db.text(id).take({ operationId: "o1" }),
  cached: (db) => db.cache(id).cached(async () => "loaded"),
  invalidate: (db) => db.cache(id).invalidate(),
  invalidateWhile: (db) => db.cache(id).invalidateWhile(async () => 1),
  exists: (db) => db.text(id).exists(),
  delete: (db) => db.text(id).delete(),
  ttl: (db) => db.text(id).ttl(),
  expire: (db) => db.text(id).expire("1m"),
  persist: (db) => db.text(id).persist(),
  type: (db) => db.text(id).type(),
  memory: (db) => db.text(id).memory(),
  "counter get": (db) => db.count(id).get(),
  "counter increment": (db) => db.count(id).increment(),
  "counter increment once": (db) => db.count(id).increment(1, { operationId: "o2" }),
  "counter set": (db) => db.count(id).set(1),
  "counter reset": (db) => db.count(id).reset(),
  "hash get": (db) => db.fields(id).get(),
  "hash get a field": (db) => db.fields(id).get("age"),
  "hash getMany": (db) => db.fields(id).getMany(["name", "age"]),
  "hash set": (db) => db.fields(id).set({ name: "x" }),
  "hash replace": (db) => db.fields(id).replace({ name: "x", age: 1 }),
  "hash increment": (db) => db.fields(id).increment("age"),
  "hash fields": (db) => db.fields(id).fields(),
  "hash length": (db) => db.fields(id).length(),
  "map get": (db) => db.map(id).get("a"),
  "map getMany": (db) => db.map(id).getMany(["a", "b"]),
  "map set": (db) => db.map(id).set("a", 1),
  "map setMany": (db) => db.map(id).setMany([["a", 1]]),
  "map increment": (db) => db.map(id).increment("a"),
  "map fields": (db) => db.map(id).fields(),
  "map values": (db) => db.map(id).values(),
  "map all": (db) => db.map(id).all(),
  "map entries": (db) => drain(db.map(id).entries()),
  "map size": (db) => db.map(id).size(),
  "list pushLeft": (db) => db.list(id).pushLeft("a"),
  "list popLeft": (db) => db.list(id).popLeft(),
  "list popLeftMany": (db) => db.list(id).popLeftMany(2),
  "list takeLeft": (db) => db.list(id).takeLeft({ waitMs: 50 }),
  "list range": (db) => db.list(id).range(0, -1),
  "list at": (db) => db.list(id).at(0),
  "list setAt": (db) => db.list(id).setAt(0, "x"),
  "list trim": (db) => db.list(id).trim(0, 1),
  "list length": (db) => db.list(id).length(),
  "list position": (db) => db.list(id).position("a"),
  "list replace": (db) => db.list(id).replace(["a"]),
  "list move": (db) => db.list(id).move(db.list({ id: "2" }), { from: "left", to: "right" }),
  "set add": (db) => db.set(id).add("a"),
  "set has": (db) => db.set(id).has("a"),
  "set hasMany": (db) => db.set(id).hasMany(["a", "b"]),
  "set members": (db) => db.set(id).members(),
  "set scan": (db) => drain(db.set(id).scan()),
  "set size": (db) => db.set(id).size(),
  "set random": (db) => db.set(id).random(),
  "set randomMany": (db) => db.set(id).randomMany(2),
  "set pop": (db) => db.set(id).pop(),
  "set popMany": (db) => db.set(id).popMany(2),
  "set union": (db) => db.set(id).union(db.set({ id: "2" })),
  "zset add": (db) => db.zset(id).add("a", 1),
  "zset score": (db) => db.zset(id).score("a"),
  "zset scores": (db) => db.zset(id).scores(["a", "b"]),
  "zset increment": (db) => db.zset(id).increment("a"),
  "zset rank": (db) => db.zset(id).rank("a"),
  "zset range": (db) => db.zset(id).range(0, -1),
  "zset rangeWithScores": (db) => db.zset(id).rangeWithScores(0, -1),
  "zset between": (db) => db.zset(id).between(0, 1),
  "zset countBetween": (db) => db.zset(id).countBetween(0, 1),
  "zset popMin": (db) => db.zset(id).popMin(),
  "zset popMinMany": (db) => db.zset(id).popMinMany(2),
  "zset scan": (db) => drain(db.zset(id).scan()),
  "stream append": (db) => db.stream(id).append({ message: "x" }),
  "stream range": (db) => db.stream(id).range(),
  "stream after": (db) => db.stream(id).after("0"),
  "stream createGroup": (db) => db.stream(id).createGroup("g"),
  "stream readGroup": (db) => db.stream(id).readGroup("g", "c"),
  "stream pending": (db) => db.stream(id).pending("g"),
  "stream autoClaim": (db) => db.stream(id).autoClaim("g", "c", { idleMs: 1000 }),
  "stream ack": (db) => db.stream(id).ack("g", "1-1"),
  "bitmap get": (db) => db.bits(id).get(1),
  "bitmap getMany": (db) => db.bits(id).getMany([1, 2]),
  "bitmap setMany": (db) => db.bits(id).setMany([1, 2], true),
  "bitmap count": (db) => db.bits(id).count(),
  "bitmap position": (db) => db.bits(id).position(true),
  "hyperloglog add": (db) => db.log(id).add("a"),
  "hyperloglog count": (db) => db.log(id).count(),
  "geo add": (db) => db.geo(id).add("a", { longitude: 1, latitude: 1 }),
  "geo position": (db) => db.geo(id).position("a"),
  "geo positions": (db) => db.geo(id).positions(["a", "b"]),
  "geo distance": (db) => db.geo(id).distance("a", "b"),
  "geo search": (db) => db.geo(id).search({ around: { longitude: 1, latitude: 1 }, radius: 5 }),
  "entity create": (db) => db.dish.create(dish),
  "entity get": (db) => db.dish.get("1"),
  "entity find": (db) => db.dish.find("name", { name: "Pho" }),
  "entity list": (db) => db.dish.list("group", { group: "soup" }),
  "entity all": (db) => db.dish.all(),
  "entity ids": (db) => db.dish.ids(),
  "entity count": (db) => db.dish.count(),
  "entity count by index": (db) => db.dish.count("group", { group: "soup" }),
  "entity exists": (db) => db.dish.exists("1"),
  "entity update": (db) => db.dish.update("1", { stock: 2 }),
  "entity replace": (db) => db.dish.replace("1", { ...dish, id: "1" }),
  "entity upsert": (db) => db.dish.upsert({ ...dish, id: "1" }),
  "entity increment": (db) => db.dish.increment("1", "stock"),
  "entity delete": (db) => db.dish.delete("1"),
  "entity scan": (db) => drain(db.dish.scan()),
  batch: (db) => db.$batch((db) => [db.text(id).get(), db.set(id).members(), db.count(id).increment()]),
  multi: (db) => db.$multi((db) => [db.text(id).set("x"), db.set(id).add("a"), db.count(id).increment()]),
  getMany: (db) => db.$getMany([db.text(id), db.fields(id)]),
  transaction: (db) =>
    db.$transaction(async (t) => {
      const found = await t.dish.get("1")
      await t.count(id).increment()
      await t.set(id).add(found?.name ?? "none")
    }),
  explain: (db) => db.$explain((db) => db.dish.update("1", { stock: 1 })),
  sweep: (db) => db.$sweep(),
  "driver facts": (db) => db.$driver().facts(),
  audit: (db) => audit(all, db.$driver(), { timeoutMs: 400 }),
  stats: (db) => stats(all, db.$driver(), { timeoutMs: 400 }),
  doctor: (db) => doctor(all, db.$driver(), {}),
  infer: (db) => infer(db.$driver(), { timeoutMs: 400 }),
  export: (db) => exportKeys(all, db.$driver(), () => undefined, { timeoutMs: 400 }),
  purge: (db) => planPurge(all, db.$driver(), { unknown: true }),
  inspect: (db) => inspectKey(all, db.$driver(), "text:1"),
}

const REPLIES: Readonly<Record<string, string>> = {
  "a status": "+OK\r\n",
  "an empty status": "+\r\n",
  zero: ":0\r\n",
  one: ":1\r\n",
  "minus one": ":-1\r\n",
  "a large number": ":9223372036854775807\r\n",
  text: "$3\r\nabc\r\n",
  "empty text": "$0\r\n\r\n",
  "no text": "$-1\r\n",
  "no list": "*-1\r\n",
  null: "_\r\n",
  true: "#t\r\n",
  "not a number": ",nan\r\n",
  "a double that is not one": ",abc\r\n",
  "a big number": "(123456789012345678901234567890\r\n",
  "verbatim text": "=7\r\ntxt:abc\r\n",
  "an error": "-ERR no\r\n",
  "an empty error": "-\r\n",
  "an error of another kind": "-WRONGTYPE no\r\n",
  "a long error": "!6\r\nERR no\r\n",
  "an empty list": "*0\r\n",
  "a status in a list": "*2\r\n+O\r\n+K\r\n",
  "one text in a list": "*1\r\n$1\r\na\r\n",
  "three texts in a list": "*3\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n",
  "nulls in a list": "*3\r\n_\r\n_\r\n_\r\n",
  "an error in a list": "*2\r\n-ERR no\r\n-ERR no\r\n",
  "numbers in a list": "*2\r\n:1\r\n:2\r\n",
  "a list of zero": "*1\r\n:0\r\n",
  "lists in a list": "*2\r\n*0\r\n*1\r\n$1\r\na\r\n",
  "a cursor and a list of lists": "*2\r\n$1\r\n0\r\n*2\r\n*0\r\n*0\r\n",
  "a cursor and nothing": "*2\r\n$1\r\n0\r\n_\r\n",
  "a cursor that is a list": "*2\r\n*0\r\n*0\r\n",
  "a cursor that never ends": "*2\r\n$1\r\n7\r\n*0\r\n",
  "a cursor that never ends, with keys": "*2\r\n$1\r\n7\r\n*2\r\n$6\r\ntext:1\r\n$5\r\nset:1\r\n",
  "a map": "%1\r\n$1\r\na\r\n$1\r\nb\r\n",
  "a set": "~1\r\n$1\r\na\r\n",
  "attributes before a status": "|1\r\n+ttl\r\n:1\r\n+OK\r\n",
  "a push before a status": ">2\r\n+message\r\n+x\r\n+OK\r\n",
  depth: `${"*1\r\n".repeat(100)}:1\r\n`,
}

const hasNaN = (value: unknown): boolean =>
  typeof value === "object" && value !== null ? Object.values(value).some(hasNaN) : Number.isNaN(value)

/** Calls that ended in any other way than with a value or an error of ours. */
async function wrongsOf(
  db: Db,
  calls: readonly (readonly [string, (db: Db) => Promise<unknown>])[],
): Promise<string[]> {
  const wrongs: string[] = []
  await Promise.all(
    calls.map(async ([name, call]) => {
      try {
        if (hasNaN(await call(db))) wrongs.push(`${name}: not a number`)
      } catch (error) {
        if (!(error instanceof KeywrightError)) wrongs.push(`${name}: ${(error as Error).stack}`)
        else if (!/^[A-Z]+\.[A-Z_]+$/.test(error.code)) wrongs.push(`${name}: ${error.code}`)
        const { cause } = error as Error
        if (cause instanceof TypeError) wrongs.push(`${name}: ${cause.stack}`)
      }
    }),
  )
  return wrongs
}

const KEYS = ["text:1", "count:1", "fields:1", "map:1", "list:1", "set:1", "zset:1", "stream:1", "geo:1", "dish:1", "?"]
const bulk = (word: string): string => `$${Buffer.byteLength(word)}\r\n${word}\r\n`
const SCANNED = `*2\r\n${bulk("0")}*${KEYS.length}\r\n${KEYS.map(bulk).join("")}`

describe("a server that lists keys properly, says of which type they are, and answers all else with the same", () => {
  const typeOf = (key = ""): string => {
    const types: Record<string, string> = {
      count: "string",
      text: "string",
      fields: "hash",
      map: "hash",
      geo: "zset",
      dish: "string",
    }
    const [head = ""] = key.split(":")
    return types[head] ?? (["list", "set", "zset", "stream"].includes(head) ? head : "string")
  }
  const chosen = Object.entries(REPLIES).filter(([name], i) => isFull || i % 4 === 0 || name.includes("never ends"))
  for (const [reply, bytes] of chosen)
    test.concurrent(`${reply}: looking at it ends, with a result or an error of ours`, async () => {
      const server = await startHostile(([command, key]) =>
        command === "SCAN"
          ? SCANNED
          : command === "DBSIZE"
            ? ":11\r\n"
            : command === "TYPE"
              ? `+${typeOf(key)}\r\n`
              : bytes,
      )
      const db = await open(server.url)
      const looks = ["audit", "stats", "infer", "inspect", "export", "purge", "doctor"].map(
        (name) => [name, CALLS[name]!] as const,
      )
      const wrongs = await wrongsOf(db, looks)
      await db.$close()
      await server.close()
      expect(wrongs).toEqual([])
    })
})

describe("a server that answers everything with the same", () => {
  for (const [reply, bytes] of Object.entries(REPLIES))
    test.concurrent(`${reply}: every call settles, with a value or an error of ours`, async () => {
      const server = await startHostile(() => bytes)
      const db = await open(server.url)
      const wrongs = await wrongsOf(db, Object.entries(CALLS))
      await db.$close()
      await server.close()
      expect(wrongs).toEqual([])
    })
})
