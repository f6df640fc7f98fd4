import { expect, it } from "vitest"
import { at, compare, counter, hash, id, int, zset } from "../../index.ts"
import { modelFor, type Replies, suspicionsOf } from "./check.cases.ts"
import { compareCheck } from "./compare.ts"

const entries = {
  cart: hash("cart:{n}", { n: int, count: int }, { params: { n: int } }),
  most: counter("most"),
  top: zset("top", id("user"), { score: int }),
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
])("%s", (_, rule, key, elements, replies, found) => {
  const model = modelFor(entries, { invariants: [rule] })
  expect(suspicionsOf(model, compareCheck, key, { elements }, replies)).toEqual(found)
})
