/* Calls of every kind, and what may be there before: for the test that makes any two of
 * them, one after the other, outside and inside of a transaction. */

import * as z from "zod"
import { json } from "../../schema/codec/json.ts"
import { float, int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { bitmap, counter, geo, hash, hyperloglog, list, map, set, stream, string, zset } from "../../schema/define.ts"
import { entity } from "../../schema/entity.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { layout } from "../../schema/layout.ts"
import type { ClientOf } from "../client.ts"
import type { ListHandle } from "../kinds/list.ts"
import type { StringHandle } from "../kinds/string.ts"

const record = layout({
  key: "{entity}:{id}",
  counter: "{entity}:counter",
  all: "{entity}:list",
  index: "{entity}:by:{index}:{value}",
})
const Dish = z.object({ id: z.string(), name: z.string(), n: z.number().optional(), menu: z.string().optional() })

export const everyKind = keyspace(
  {
    text: string("text", text),
    fresh: string("fresh", text, { ttl: "1h" }),
    n: counter("n"),
    hash: hash("hash", { a: int, b: text, f: float }),
    map: map("map", text, int),
    list: list("list", text),
    short: list("short", text, { keep: 3 }),
    set: set("set", text),
    other: set("other", text),
    z: zset("z", text),
    top: zset("top", text, { keep: 3 }),
    log: stream("log", { a: text }),
    bits: bitmap("bits"),
    seen: hyperloglog("seen", text),
    geo: geo("geo", text),
    dish: record("dish", json(Dish), { unique: { name: "name" }, index: { menu: "menu" } }),
    row: entity("row:{id}", { id: text, name: text, n: int }, { all: "row:list" }),
  },
  { ttl: "never" },
)

/** Inside, some methods are not there in the type; here they are called all the same. */
type Everything = ClientOf<typeof everyKind>
export type KindCall = (db: Everything) => unknown

export interface KindCalls {
  /** The raw commands that make each state. */
  readonly states: readonly (readonly (readonly string[])[])[]
  readonly calls: Readonly<Record<string, KindCall>>
}

const sorted = async <T>(values: Promise<readonly T[]>): Promise<T[]> => [...(await values)].sort()

const strings = (of: (db: Everything) => StringHandle<string, string>): KindCalls["calls"] => ({
  get: (db) => of(db).get(),
  set: (db) => of(db).set("v"),
  setIfAbsent: (db) => of(db).setIfAbsent("w"),
  setIfPresent: (db) => of(db).setIfPresent("p"),
  getAndSet: (db) => of(db).getAndSet("g"),
  take: (db) => of(db).take(),
  length: (db) => of(db).length(),
  exists: (db) => of(db).exists(),
  delete: (db) => of(db).delete(),
  expire: (db) => of(db).expire("1h"),
})

const lists = (of: (db: Everything) => ListHandle<string, string>): KindCalls["calls"] => ({
  pushLeft: (db) => of(db).pushLeft("x"),
  pushRight: (db) => of(db).pushRight("y", "z"),
  "push nothing": (db) => of(db).pushRightMany([]),
  popLeft: (db) => of(db).popLeft(),
  popRight: (db) => of(db).popRight(),
  popLeftMany: (db) => of(db).popLeftMany(2),
  popRightMany: (db) => of(db).popRightMany(5),
  range: (db) => of(db).range(0, -1),
  at: (db) => of(db).at(1),
  setAt: (db) => of(db).setAt(0, "s"),
  "setAt beyond": (db) => of(db).setAt(9, "s"),
  remove: (db) => of(db).remove("a"),
  "remove last": (db) => of(db).remove("a", -1),
  trim: (db) => of(db).trim(0, 0),
  length: (db) => of(db).length(),
  position: (db) => of(db).position("b"),
  replace: (db) => of(db).replace(["r"]),
  empty: (db) => of(db).replace([]),
  delete: (db) => of(db).delete(),
})

const zsets = (of: (db: Everything) => ReturnType<Everything["z" | "top"]>): KindCalls["calls"] => ({
  add: (db) => of(db).add("a", 5),
  "add new": (db) => of(db).add("d", 5),
  addMany: (db) =>
    of(db).addMany([
      ["a", 7],
      ["e", 8],
    ]),
  replace: (db) => of(db).replace([["r", 1]]),
  score: (db) => of(db).score("a"),
  scores: (db) => of(db).scores(["a", "none"]),
  increment: (db) => of(db).increment("a", 2),
  "increment new": (db) => of(db).increment("n", 2),
  rank: (db) => of(db).rank("b"),
  reverseRank: (db) => of(db).reverseRank("b"),
  rangeWithScores: (db) => of(db).rangeWithScores(0, -1),
  between: (db) => of(db).between(1, 2),
  countBetween: (db) => of(db).countBetween(1, 2),
  remove: (db) => of(db).remove("a", "none"),
  removeBetween: (db) => of(db).removeBetween(1, 2),
  removeRange: (db) => of(db).removeRange(-2, -1),
  popMin: (db) => of(db).popMin(),
  popMax: (db) => of(db).popMax(),
  popMinMany: (db) => of(db).popMinMany(2),
  popMaxMany: (db) => of(db).popMaxMany(9),
  size: (db) => of(db).size(),
  delete: (db) => of(db).delete(),
})

const dish = ["SET", "dish:1", '{"id":"1","name":"one","n":3,"menu":"m"}']
const dishes = [dish, ["SADD", "dish:list", "1"], ["SET", "dish:by:name:one", "1"], ["SADD", "dish:by:menu:m", "1"]]
const rows = [
  ["HSET", "row:1", "id", "1", "name", "one", "n", "3"],
  ["SADD", "row:list", "1"],
]

export const kinds: Readonly<Record<string, KindCalls>> = {
  text: { states: [[], [["SET", "text", "old"]], [["RPUSH", "text", "x"]]], calls: strings((db) => db.text()) },
  fresh: { states: [[], [["SET", "fresh", "old", "PX", "100000"]]], calls: strings((db) => db.fresh()) },
  n: {
    states: [[], [["SET", "n", "41"]], [["SET", "n", "9007199254740990"]], [["SET", "n", "many"]]],
    calls: {
      get: (db) => db.n().get(),
      increment: (db) => db.n().increment(20),
      decrement: (db) => db.n().decrement(5),
      set: (db) => db.n().set(7),
      reset: (db) => db.n().reset(),
      delete: (db) => db.n().delete(),
    },
  },
  hash: {
    states: [[], [["HSET", "hash", "a", "1", "b", "x", "f", "1.5"]], [["HSET", "hash", "b", "y"]]],
    calls: {
      get: (db) => db.hash().get(),
      "get one": (db) => db.hash().get("a"),
      set: (db) => db.hash().set({ a: 5 }),
      replace: (db) => db.hash().replace({ a: 1, b: "z", f: 2 }),
      setIfAbsent: (db) => db.hash().setIfAbsent("a", 9),
      deleteField: (db) => db.hash().deleteField("a", "b"),
      increment: (db) => db.hash().increment("a", 3),
      "increment a float": (db) => db.hash().increment("f", 0.25),
      has: (db) => db.hash().has("a"),
      fields: (db) => sorted(db.hash().fields()),
      length: (db) => db.hash().length(),
      delete: (db) => db.hash().delete(),
    },
  },
  map: {
    states: [[], [["HSET", "map", "a", "1", "b", "2"]]],
    calls: {
      get: (db) => db.map().get("a"),
      getMany: (db) => db.map().getMany(["a", "none"]),
      set: (db) => db.map().set("a", 5),
      "set new": (db) => db.map().set("c", 5),
      setMany: (db) =>
        db.map().setMany([
          ["a", 1],
          ["c", 2],
        ]),
      replace: (db) => db.map().replace([["r", 1]]),
      setIfAbsent: (db) => db.map().setIfAbsent("a", 7),
      remove: (db) => db.map().remove("a", "c"),
      removeMany: (db) => db.map().removeMany(["b"]),
      has: (db) => db.map().has("a"),
      increment: (db) => db.map().increment("a", 4),
      all: async (db) => [...(await db.map().all())].sort(),
      size: (db) => db.map().size(),
      delete: (db) => db.map().delete(),
    },
  },
  list: { states: [[], [["RPUSH", "list", "a", "b", "a"]], [["SET", "list", "no"]]], calls: lists((db) => db.list()) },
  short: { states: [[], [["RPUSH", "short", "a", "b", "a"]]], calls: lists((db) => db.short()) },
  set: {
    states: [[], [["SADD", "set", "a", "b"]], [["SADD", "other", "b", "c"]]],
    calls: {
      add: (db) => db.set().add("a", "c", "c"),
      "add to the other": (db) => db.other().add("a", "d"),
      remove: (db) => db.set().remove("a", "none"),
      "remove all": (db) => db.set().remove("a", "b"),
      "remove of the other": (db) => db.other().remove("b", "c"),
      replace: (db) => db.set().replace(["r"]),
      has: (db) => db.set().has("a"),
      hasMany: (db) => db.set().hasMany(["a", "c"]),
      members: (db) => sorted(db.set().members()),
      size: (db) => db.set().size(),
      "pop all": (db) => sorted(db.set().popMany(9)),
      union: (db) => sorted(db.set().union(db.other())),
      intersect: (db) => sorted(db.set().intersect(db.other())),
      difference: (db) => sorted(db.set().difference(db.other())),
      delete: (db) => db.set().delete(),
    },
  },
  z: { states: [[], [["ZADD", "z", "1", "a", "2", "b", "3", "c"]]], calls: zsets((db) => db.z()) },
  top: { states: [[], [["ZADD", "top", "1", "a", "2", "b", "3", "c"]]], calls: zsets((db) => db.top()) },
  log: {
    states: [
      [],
      [
        ["XADD", "log", "1-1", "a", "1"],
        ["XADD", "log", "2-1", "a", "2"],
        ["XADD", "log", "3-1", "a", "3"],
      ],
    ],
    calls: {
      append: (db) => db.log().append({ a: "n" }, { id: "9-9" }),
      range: (db) => db.log().range(),
      after: (db) => db.log().after("1-1"),
      length: (db) => db.log().length(),
      trim: (db) => db.log().trim(1),
      remove: (db) => db.log().remove("1-1", "7-7"),
      delete: (db) => db.log().delete(),
    },
  },
  bits: {
    states: [[], [["SETBIT", "bits", "3", "1"]]],
    calls: {
      get: (db) => db.bits().get(3),
      getMany: (db) => db.bits().getMany([1, 3]),
      set: (db) => db.bits().set(3, true),
      clear: (db) => db.bits().set(3, false),
      "set far": (db) => db.bits().set(100, true),
      setMany: (db) => db.bits().setMany([1, 3], true),
      count: (db) => db.bits().count(),
      position: (db) => db.bits().position(true),
      delete: (db) => db.bits().delete(),
    },
  },
  seen: {
    states: [[], [["PFADD", "seen", "a"]]],
    calls: { add: (db) => db.seen().add("b"), count: (db) => db.seen().count(), delete: (db) => db.seen().delete() },
  },
  geo: {
    states: [[], [["GEOADD", "geo", "13.3", "38.1", "p"]]],
    calls: {
      add: (db) => db.geo().add("c", { longitude: 15, latitude: 37 }),
      move: (db) => db.geo().add("p", { longitude: 15, latitude: 37 }),
      position: (db) => db.geo().position("p"),
      distance: (db) => db.geo().distance("p", "c"),
      remove: (db) => db.geo().remove("p"),
      size: (db) => db.geo().size(),
      delete: (db) => db.geo().delete(),
    },
  },
  dish: {
    states: [[], dishes],
    calls: {
      create: (db) => db.dish.create({ id: "9", name: "nine" }),
      "create one that is there": (db) => db.dish.create({ id: "1", name: "uno" }),
      get: (db) => db.dish.get("1"),
      getMany: (db) => db.dish.getMany(["1", "9"]),
      find: (db) => db.dish.find("name", { name: "one" }),
      list: (db) => db.dish.list("menu", { menu: "m" }),
      exists: (db) => db.dish.exists("1"),
      count: (db) => db.dish.count(),
      "count of a menu": (db) => db.dish.count("menu", { menu: "m" }),
      ids: (db) => sorted(db.dish.ids()),
      update: (db) => db.dish.update("1", ({ n = 0 }) => ({ n: n + 1 })),
      "move to another menu": (db) => db.dish.update("1", { menu: "o" }),
      rename: (db) => db.dish.update("1", { name: "nine" }),
      replace: (db) => db.dish.replace("1", { id: "1", name: "other" }),
      upsert: (db) => db.dish.upsert({ id: "1", name: "up", menu: "m" }),
      "upsert another": (db) => db.dish.upsert({ id: "9", name: "up" }),
      increment: (db) => db.dish.increment("1", "n", 4),
      delete: (db) => db.dish.delete("1"),
      deleteAll: (db) => db.dish.deleteAll("menu", { menu: "m" }),
    },
  },
  row: {
    states: [[], rows],
    calls: {
      create: (db) => db.row.create({ id: "9", name: "nine", n: 1 }),
      get: (db) => db.row.get("1"),
      update: (db) => db.row.update("1", ({ n }) => ({ n: n + 1 })),
      replace: (db) => db.row.replace("1", { id: "1", name: "other", n: 9 }),
      upsert: (db) => db.row.upsert({ id: "1", name: "up", n: 8 }),
      increment: (db) => db.row.increment("1", "n", 4),
      count: (db) => db.row.count(),
      delete: (db) => db.row.delete("1"),
    },
  },
}
