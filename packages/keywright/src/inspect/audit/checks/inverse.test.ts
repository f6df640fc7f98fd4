import { expect, it } from "vitest"
import { id, inverse, set } from "../../../index.ts"
import { modelFor, type Replies, suspicionsOf } from "./check.cases.ts"
import { inverseCheck } from "./inverse.ts"

const [c, s] = [id("channel"), id("subscriber")]
const model = modelFor(
  { of: set("c:{c}", s, { params: { c } }), by: set("s:{s}", c, { params: { s } }) },
  { ttl: "never", invariants: [inverse("of", "by")] },
)

it.each<[string, key: string, member: string, Replies, string[]]>([
  ["both sides say", "c:1", "7", { "SISMEMBER s:7 1": 1 }, []],
  [
    "only the truth says",
    "c:1",
    "7",
    { "SISMEMBER s:7 1": 0, "SISMEMBER c:1 7": 1 },
    ["INVERSE.MISSING s:7 (member 1): what c:{c} says / it is missing; SADD s:7 1"],
  ],
  [
    "only the other says",
    "s:7",
    "1",
    { "SISMEMBER c:1 7": 0, "SISMEMBER s:7 1": 1 },
    ["INVERSE.EXTRA s:7 (member 1): only what c:{c} says / one more; SREM s:7 1"],
  ],
  ["nobody says any more", "c:1", "7", { "SISMEMBER s:7 1": 0, "SISMEMBER c:1 7": 0 }, []],
])("what %s", (_, key, member, replies, found) => {
  expect(suspicionsOf(model, inverseCheck, key, { elements: [member] }, replies)).toEqual(found)
})
