import { expect, it } from "vitest"
import { list, stream, text, zset } from "../../../index.ts"
import { modelFor, suspicionsOf } from "./check.cases.ts"
import { keepCheck } from "./keep.ts"

const keep = { keep: 3 }
const model = modelFor({
  l: list("l", text, keep),
  z: zset("z", text, keep),
  x: stream("x", { a: text }, keep),
  free: list("f", text),
})

it.each<[key: string, length: number, command: string, now: number, string[]]>([
  ["l", 3, "LLEN", 4, []],
  ["l", 4, "LLEN", 4, ["VALUE.TOO_MANY l: at most 3 elements / 4 elements; destroying LTRIM l 0 2"]],
  ["l", 4, "LLEN", 3, []],
  ["z", 5, "ZCARD", 5, ["VALUE.TOO_MANY z: at most 3 elements / 5 elements; ZREMRANGEBYRANK z 0 -4"]],
  ["x", 5, "XLEN", 5, ["VALUE.TOO_MANY x: at most 3 elements / 5 elements; XTRIM x MAXLEN 3"]],
  ["f", 9, "LLEN", 9, []],
])("%s with %i elements, by %s %i", (key, length, command, now, found) => {
  expect(suspicionsOf(model, keepCheck, key, { length }, { [`${command} ${key}`]: now })).toEqual(found)
})
