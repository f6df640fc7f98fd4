import { expect, it } from "vitest"
import { id, map, sameIds, set, text, zset } from "../../../index.ts"
import { modelFor, type Replies, suspicionsOf } from "./check.cases.ts"
import { sameIdsCheck } from "./same-ids.ts"

const token = id("token")
const model = modelFor(
  { login: map("login", token, text), recent: zset("recent", token), online: set("online", token) },
  { invariants: [sameIds(token, ["login", "recent", "online"])] },
)

it.each<[string, key: string, elements: string[], Replies, string[]]>([
  ["has what all have", "login", ["t", "x"], { "ZSCORE recent t": "1", "SISMEMBER online t": 1 }, []],
  [
    "has what others lack",
    "login",
    ["t", "x"],
    { "ZSCORE recent t": null, "SISMEMBER online t": 0, "HEXISTS login t": 1 },
    [
      "SAME.MISSING recent (member t): what login has / it is missing",
      "SAME.MISSING online (member t): what login has / it is missing; SADD online t",
    ],
  ],
  ["had it", "login", ["t", "x"], { "ZSCORE recent t": null, "SISMEMBER online t": 1, "HEXISTS login t": 0 }, []],
  [
    "is not the truth, and has one more",
    "recent",
    ["t", "1"],
    { "HEXISTS login t": 0, "ZSCORE recent t": "1" },
    ["SAME.EXTRA recent (member t): only what login has / one more; ZREM recent t"],
  ],
])("a key that %s", (_, key, elements, replies, found) => {
  expect(suspicionsOf(model, sameIdsCheck, key, { elements }, replies)).toEqual(found)
})
