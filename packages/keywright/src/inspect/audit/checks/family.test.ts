import { expect, it } from "vitest"
import { family, hash, set, text } from "../../../index.ts"
import { modelFor, type Replies, suspicionsOf } from "./check.cases.ts"
import { familyCheck } from "./family.ts"

const found = (text: string, key: string, of: string, at: number) => [
  `TTL.FAMILY ${key}: the deadline of ${of} / a deadline ${text} it; PEXPIREAT ${key} ${at}`,
]

it.each<[string, second: number, Replies, string[]]>([
  ["the same deadline", 5000, {}, []],
  [
    "a later one",
    5300,
    { "PEXPIRETIME room:1": 5000, "PEXPIRETIME room:1:guests": 5300 },
    found("300 ms after", "room:1:guests", "room:{n}", 5000),
  ],
  [
    "an earlier one",
    4900,
    { "PEXPIRETIME room:1": 5000, "PEXPIRETIME room:1:guests": 4900 },
    found("100 ms before", "room:1:guests", "room:{n}", 5000),
  ],
  ["another one that was set right", 5300, { "PEXPIRETIME room:1": 5000, "PEXPIRETIME room:1:guests": 5000 }, []],
  ["none: another check's finding", -1, {}, []],
])("keys of a family with %s", (_, second, replies, expected) => {
  const model = modelFor({
    room: family("room:{n}", { ttl: "1h" }, { info: hash("", { a: text }), guests: set(":guests", text) }),
  })
  expect(suspicionsOf(model, familyCheck, "room:1", { ttl: 5000 }, replies)).toEqual([])
  expect(suspicionsOf(model, familyCheck, "room:1:guests", { ttl: second }, replies)).toEqual(expected)
})
