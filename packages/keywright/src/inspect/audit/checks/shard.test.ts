import { expect, it } from "vitest"
import { id, map, sharded, text } from "../../../index.ts"
import { shardOf, shardTags } from "../../../schema/shard.ts"
import { modelFor, suspicionsOf } from "./check.cases.ts"
import { shardCheck } from "./shard.ts"

const token = id("token")
const model = modelFor({
  session: sharded(16, "token", { cart: map("cart:{token}", text, text) }),
  free: map("free:{token}", token, text),
})

const tags = shardTags(16)
const right = tags[shardOf("EB93", 16)]!
const wrong = tags[(shardOf("EB93", 16) + 1) % 16]!
const keyIn = (tag: string) => `{${tag}}:cart:EB93`

it.each<[string, key: string, exists: number, string[]]>([
  ["a key in its shard is right", keyIn(right), 1, []],
  [
    "a key in another shard is found by no client",
    keyIn(wrong),
    1,
    [`SHARD.WRONG ${keyIn(wrong)}: shard: ${right} / "${wrong}"`],
  ],
  ["one that is gone by now is no finding", keyIn(wrong), 0, []],
  ["a key without shards is left alone", "free:EB93", 1, []],
])("%s", (_, key, exists, found) => {
  expect(suspicionsOf(model, shardCheck, key, {}, { [`EXISTS ${key}`]: exists })).toEqual(found)
})

it("asks once for a key that is read in parts", () => {
  expect(suspicionsOf(model, shardCheck, keyIn(wrong), { first: false }, {})).toEqual([])
})
