import { expect, it } from "vitest"
import { excludes, id, set, zset } from "../../../index.ts"
import { modelFor, type Replies, suspicionsOf } from "./check.cases.ts"
import { excludesCheck } from "./excludes.ts"

const user = id("user")
const model = modelFor(
  { banned: set("banned", user), online: zset("online", user) },
  { invariants: [excludes("banned", "online")] },
)

it.each<[string, key: string, elements: string[], Replies, string[]]>([
  ["only in the other", "online", ["u", "1"], { "SISMEMBER banned u": 0 }, []],
  [
    "in both",
    "online",
    ["u", "1"],
    { "SISMEMBER banned u": 1, "ZSCORE online u": "1" },
    ["EXCLUDES.BOTH online (member u): nothing that banned has / one that it has; ZREM online u"],
  ],
  ["in both for a moment", "online", ["u", "1"], { "SISMEMBER banned u": 1, "ZSCORE online u": null }, []],
  ["seen from the truth", "banned", ["u"], {}, []],
])("one that is %s", (_, key, elements, replies, found) => {
  expect(suspicionsOf(model, excludesCheck, key, { elements }, replies)).toEqual(found)
})
