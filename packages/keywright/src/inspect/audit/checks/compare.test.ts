import { expect, it } from "vitest"
import * as z from "zod"
import {
  at,
  compare,
  counter,
  day,
  hash,
  id,
  int,
  json,
  map,
  month,
  secret,
  set,
  string,
  zset,
} from "../../../index.ts"
import { modelFor, type Replies, suspicionsOf } from "./check.cases.ts"
import { compareCheck } from "./compare.ts"

const entries = {
  cart: hash("cart:{n}", { n: int, count: int }, { params: { n: int } }),
  most: counter("most"),
  top: zset("top", id("user", { matching: /\w/ }), { score: int }),
  best: zset("best:{n}", id("user"), { score: int, params: { n: int } }),
  limits: map("limits", id("user"), int),
  perDay: counter("queries:{n}:{day}", { params: { n: int, day } }),
  perMonth: counter("queries:{n}:{month}", { params: { n: int, month } }),
  doc: string("doc:{id}", json(z.any()), { secret: ["n"] }),
  peers: set("peers:{token}", id("user"), { params: { token: secret(id("user")) } }),
  friends: set("friends:{user}", id("user"), { params: { user: id("user") } }),
}
const broken = (key: string, rest: string) => [`COMPARE.BROKEN ${key} ${rest}`]

it.each<[string, rule: ReturnType<typeof compare>, key: string, string[], Replies, string[]]>([
  ["a number: kept", compare(at("cart", "count"), "<=", 9), "cart:1", ["n", "1", "count", "9"], {}, []],
  [
    "a number: broken",
    compare(at("cart", "count"), "<=", 9),
    "cart:1",
    ["n", "1", "count", "10"],
    { "HGET cart:1 count": "10" },
    broken("cart:1", "(field count): count <= 9 / 10"),
  ],
  [
    "a number: broken for a moment",
    compare(at("cart", "count"), "<=", 9),
    "cart:1",
    ["n", "1", "count", "10"],
    { "HGET cart:1 count": "8" },
    [],
  ],
  [
    "a segment of its key",
    compare(at("cart", "n"), "=", at("cart", "{n}")),
    "cart:1",
    ["n", "2", "count", "1"],
    { "HGET cart:1 n": "2", "EXISTS cart:1": 1 },
    broken("cart:1", "(field n): n = 1 / 2; HSET cart:1 n 1"),
  ],
  [
    "another key",
    compare(at("cart", "count"), "<=", at("most", "value")),
    "cart:1",
    ["n", "1", "count", "5"],
    { "GET most": "3", "HGET cart:1 count": "5" },
    broken("cart:1", "(field count): count <= 3 / 5"),
  ],
  [
    "another key that is not there",
    compare(at("cart", "count"), "<=", at("most", "value")),
    "cart:1",
    ["n", "1", "count", "5"],
    { "GET most": null },
    [],
  ],
  [
    "a score",
    compare(at("top", "score"), ">", 0),
    "top",
    ["u", "0", "v", "1"],
    { "ZSCORE top u": "0" },
    broken("top", "(member u): score > 0 / 0; destroying ZREM top u"),
  ],
  [
    "the month of a day",
    compare(at("perDay", "value"), "<=", at("perMonth", "value", { otherwise: 0 })),
    "queries:7:2011-10-03",
    ["5"],
    { "GET queries:7:2011-10": "4", "GET queries:7:2011-10-03": "5" },
    [`COMPARE.BROKEN queries:7:2011-10-03: value <= 4 / 5; destroying UNLINK queries:7:2011-10-03`],
  ],
  [
    "the score of the same member",
    compare(at("best", "score"), "<=", at("top", "score")),
    "best:1",
    ["u", "3", "v", "3", "w", "3", "all", "9"],
    { "ZSCORE top u": "3", "ZSCORE top v": "2", "ZSCORE top w": null, "ZSCORE best:1 v": "3" },
    broken("best:1", "(member v): score <= 2 / 3; destroying ZREM best:1 v"),
  ],
  [
    "the value of the same field",
    compare(at("top", "score"), "<", at("limits", "value", { otherwise: 1 })),
    "top",
    ["u", "3", "v", "3"],
    { "HGET limits u": "4", "HGET limits v": null, "ZSCORE top v": "3" },
    broken("top", "(member v): score < 1 / 3; destroying ZREM top v"),
  ],
  [
    "a segment that is not a member",
    compare(at("friends", "member"), "!=", at("friends", "{user}")),
    "friends:ann",
    ["ann", "bob"],
    { "SISMEMBER friends:ann ann": 1, "EXISTS friends:ann": 1 },
    broken("friends:ann", "(member ann): member != ann / ann; destroying SREM friends:ann ann"),
  ],
  [
    "a listed field inside a document",
    compare(at("doc", "value.of.n"), "<", at("doc", "value.most")),
    "doc:1",
    ['{"of":{"n":4711},"most":5}'],
    { "GET doc:1": '{"of":{"n":4711},"most":5}' },
    ["COMPARE.BROKEN doc:1: value.of.n < 5 / another value; destroying UNLINK doc:1"],
  ],
  [
    "a listed field that sets the bound",
    compare(at("doc", "value.most"), ">", at("doc", "value.of.n")),
    "doc:1",
    ['{"of":{"n":4711},"most":5}'],
    { "GET doc:1": '{"of":{"n":4711},"most":5}' },
    ["COMPARE.BROKEN doc:1: value.most > … / 5; destroying UNLINK doc:1"],
  ],
  [
    "what a listed field must not be",
    compare(at("doc", "value.most"), "!=", at("doc", "value.of.n")),
    "doc:1",
    ['{"of":{"n":4711},"most":4711}'],
    { "GET doc:1": '{"of":{"n":4711},"most":4711}' },
    ["COMPARE.BROKEN doc:1: value.most != … / the same value; destroying UNLINK doc:1"],
  ],
  [
    "a secret segment that is not a member",
    compare(at("peers", "member"), "!=", at("peers", "{token}")),
    "peers:ann",
    ["ann", "bob"],
    { "SISMEMBER peers:ann ann": 1, "EXISTS peers:ann": 1 },
    broken("peers:ann", "(member …): member != … / the same value; destroying SREM peers:ann ann"),
  ],
])("%s", (_, rule, key, elements, replies, found) => {
  const model = modelFor(entries, { invariants: [rule] })
  expect(suspicionsOf(model, compareCheck, key, { elements }, replies)).toEqual(found)
})
