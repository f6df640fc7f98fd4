import { expect, it } from "vitest"
import { hash, id, list, map, refersTo, set, text, zset } from "../../../index.ts"
import { modelFor, type Replies, suspicionsOf } from "./check.cases.ts"
import { refersToCheck } from "./refers-to.ts"

const token = id("token")
const entries = {
  login: map("login", token, text),
  recent: zset("recent", token),
  seen: set("seen", token),
  queue: list("queue", token),
  cart: hash("cart:{token}", { n: text }, { params: { token } }),
}
const one = refersTo(token, "seen", "login")
const orphan = refersTo(token, "cart", "login")
const several = refersTo(token, "seen", ["login", "recent"])

it.each<[string, rule: object, key: string, string[], Replies, string[]]>([
  ["exists", one, "seen", ["t"], { "HEXISTS login t": 1 }, []],
  ["is the first of a list", refersTo(token, "seen", "queue"), "seen", ["t"], { "LPOS queue t": 0 }, []],
  [
    "does not",
    one,
    "seen",
    ["t"],
    { "HEXISTS login t": 0, "SISMEMBER seen t": 1 },
    ["REFERS.DANGLING seen (member t): login / no such thing; SREM seen t"],
  ],
  ["does not, and was removed", one, "seen", ["t"], { "HEXISTS login t": 0, "SISMEMBER seen t": 0 }, []],
  [
    "is the reason of a whole key",
    orphan,
    "cart:t",
    [],
    { "HEXISTS login t": 0, "EXISTS cart:t": 1 },
    ["REFERS.ORPHAN cart:t: login / no such thing; destroying UNLINK cart:t"],
  ],
  ["exists in one of several", several, "seen", ["t"], { "HEXISTS login t": 0, "ZSCORE recent t": "1" }, []],
  [
    "exists in none of several",
    several,
    "seen",
    ["t"],
    { "HEXISTS login t": 0, "ZSCORE recent t": null, "SISMEMBER seen t": 1 },
    ["REFERS.DANGLING seen (member t): login or recent / no such thing; SREM seen t"],
  ],
])("what is referred to %s", (_, rule, key, elements, replies, found) => {
  const model = modelFor(entries, { invariants: [rule] })
  expect(suspicionsOf(model, refersToCheck, key, { elements }, replies)).toEqual(found)
})
