import { expect, it } from "vitest"
import { hash, keyOf, map, set, string, text } from "../../../index.ts"
import { modelFor, type Replies, suspicionsOf } from "./check.cases.ts"
import { keyOfCheck } from "./key-of.ts"

const other = keyOf({ other: "other:{x}" })
const model = modelFor({
  s: string("s", other),
  m: set("m", other),
  f: map("f", text, other),
  h: hash("h", { to: other, a: text }),
  other: string("other:{x}", text),
})
const gone = { "EXISTS other:1": 0 }
const dangling = "a key that exists / the key of nothing"

it.each<[key: string, elements: string[], Replies, string[]]>([
  ["s", ["other:1"], { "EXISTS other:1": 1 }, []],
  ["s", ["other:1"], { ...gone, "GET s": "other:1" }, [`KEYOF.DANGLING s: ${dangling}; UNLINK s`]],
  ["s", ["other:1"], { ...gone, "GET s": "other:2" }, []],
  [
    "m",
    ["other:1"],
    { ...gone, "SISMEMBER m other:1": 1 },
    [`KEYOF.DANGLING m (member other:1): ${dangling}; SREM m other:1`],
  ],
  ["f", ["n", "other:1"], { ...gone, "HGET f n": "other:1" }, [`KEYOF.DANGLING f (field n): ${dangling}; HDEL f n`]],
  ["h", ["a", "x", "to", "other:1"], { ...gone, "HGET h to": "other:1" }, [`KEYOF.DANGLING h (field to): ${dangling}`]],
])("%s with %j and %j", (key, elements, replies, found) => {
  expect(suspicionsOf(model, keyOfCheck, key, { elements }, replies)).toEqual(found)
})

it("passes over what does not decode, and nothing else", () => {
  const replies = { ...gone, "SISMEMBER m other:1": 1 }
  const found = suspicionsOf(model, keyOfCheck, "m", { elements: ["?", "other:1"], bad: new Set([0]) }, replies)
  expect(found).toEqual([`KEYOF.DANGLING m (member other:1): ${dangling}; SREM m other:1`])
  const fields = { elements: ["n", "other:1", "o", "?"], bad: new Set([0, 2]) }
  expect(suspicionsOf(model, keyOfCheck, "f", fields, {})).toEqual([])
})
