import { expect, it } from "vitest"
import type { Reply } from "../../../driver/driver.ts"
import { hash, int, list, map, optional, secret, set, stream, string, text, zset } from "../../../index.ts"
import { modelFor, type Replies, suspicionsOf } from "./check.cases.ts"
import { valueCheck } from "./value.ts"

const model = modelFor({
  n: string("n", int),
  secret: string("secret", secret(int)),
  h: hash("h", { age: int, note: optional(text) }),
  m: map("m", int, int),
  s: set("s", int),
  z: zset("z", text, { score: int({ min: 0 }) }),
  l: list("l", int),
  x: stream("x", { a: int }),
})
const codesAndPlaces = (found: readonly string[]) => found.map((one) => one.slice(0, one.indexOf(":")))

it.each<[key: string, elements: Reply[], Replies, string[]]>([
  ["n", ["7"], {}, []],
  ["n", ["x"], { "GET n": "x" }, ["VALUE.UNDECODABLE n"]],
  ["n", ["x"], { "GET n": "8" }, []],
  ["n", ["x"], { "GET n": null }, []],
  ["h", ["age", "7"], {}, []],
  ["h", ["age", "x"], { "HGET h age": "x" }, ["VALUE.UNDECODABLE h (field age)"]],
  ["h", ["note", "x"], { "EXISTS h": 1, "HEXISTS h age": 0 }, ["VALUE.FIELD_MISSING h (field age)"]],
  ["h", ["age", "7", "old", "x"], { "HEXISTS h old": 1 }, ["VALUE.FIELD_UNKNOWN h (field old)"]],
  ["m", ["x", "1"], { "HGET m x": "1" }, ["VALUE.UNDECODABLE m (field x)"]],
  ["m", ["1", "x"], { "HGET m 1": "x" }, ["VALUE.UNDECODABLE m (field 1)"]],
  ["s", ["1", "x"], { "SISMEMBER s x": 1 }, ["VALUE.UNDECODABLE s (member x)"]],
  ["s", ["1", "x"], { "SISMEMBER s x": 0 }, []],
  ["z", ["a", "-1"], { "ZSCORE z a": "-1" }, ["VALUE.UNDECODABLE z (member a)"]],
  ["l", ["1", "x"], { "LPOS l x": 4 }, ["VALUE.UNDECODABLE l (index 1)"]],
  [
    "x",
    [
      ["1-0", ["a", "1"]],
      ["2-0", ["a", "x"]],
    ],
    { "XRANGE x 2-0 2-0": [["2-0", ["a", "x"]]] },
    ["VALUE.UNDECODABLE x (entry 2-0)"],
  ],
])("%s with %j and %j", (key, elements, replies, found) => {
  expect(codesAndPlaces(suspicionsOf(model, valueCheck, key, { elements }, replies))).toEqual(found)
})

it("quotes no secret", () => {
  const [found] = suspicionsOf(model, valueCheck, "secret", { elements: ["hunter2"] }, { "GET secret": "hunter2" })
  expect(found).toMatch(/^VALUE\.UNDECODABLE secret: /)
  expect(found).not.toContain("hunter2")
})
