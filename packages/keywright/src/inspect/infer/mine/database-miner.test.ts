import { expect, it } from "vitest"
import type { Wire } from "../../../driver/driver.ts"
import { redisTypes } from "../../../schema/define.ts"
import { toolkitKeys } from "../../../schema/toolkit-keys.ts"
import { DatabaseMiner } from "./database-miner.ts"
import { NAMES } from "./segments.cases.ts"
import { times } from "../values/values.cases.ts"

type Some = readonly [key: string, type?: string, elements?: readonly Wire[]]

/** A database whose keys have come, and which has ended. */
function mined(all: readonly Some[]): DatabaseMiner {
  const miner = new DatabaseMiner(2)
  for (const [key, type = "string", elements = ["a text"]] of all)
    miner.note({ key, type, ttlMs: -1 })?.({ type, elements, cut: false })
  miner.end()
  return miner
}
const patterns = ({ rows }: DatabaseMiner) => rows.map((row) => `${row.pattern()} ${row.count}`).sort()
const strangers = (miner: DatabaseMiner) =>
  [...miner.strangers.groups].map(([pattern, { keys }]) => `${pattern} ${keys}`).sort()
const users = (count: number): Some[] => times(count, (i) => `user:${i + 1}`).map((key) => [key])

it.each<[string, Some[], patterns: string[]]>([
  ["a small database", [...users(3), ["users", "set", ["1", "2"]]], ["user:{p0} 3", "users 1"]],
  ["keys of which one has no number", [...users(8), ["user:x7"]], ["user:{p0} 9"]],
  ["keys that come when some are learned", [...users(3000), ["cart:1"], ["cart:2"]], ["cart:{p0} 2", "user:{p0} 3000"]],
  ["nothing", [], []],
])("counts every key of %s once", (_, keys, expected) => {
  const miner = mined(keys)
  expect(patterns(miner)).toEqual(expected)
  expect([miner.keys, strangers(miner)]).toEqual([keys.length, []])
})

it("says the same in whatever order the keys come", () => {
  const keys: Some[] = [
    ...users(20),
    ...NAMES.map((name): Some => [`tag:${name}`, "set", ["1"]]),
    ["users", "set", ["7"]],
  ]
  expect(patterns(mined(keys.toReversed()))).toEqual(patterns(mined(keys)))
})

it("leaves a pattern its keys, whatever comes later, and reads fewer and fewer of their values", () => {
  const miner = new DatabaseMiner(0)
  const wanted = (keys: readonly Some[]) =>
    keys.filter(([key]) => {
      const take = miner.note({ key, type: "string", ttlMs: -1 })
      take?.({ type: "string", elements: ["a text"], cut: false })
      return take !== undefined
    }).length
  const before = miner.elements()
  expect(wanted(users(3000))).toBe(3000)
  expect([before, miner.elements()]).toEqual([200, 60])
  expect(wanted([["user:x7"], ["user:x8"]])).toBe(2)
  const later = wanted(users(2000))
  expect([later > 0, later < 1000]).toEqual([true, true])
  miner.end()
  expect(patterns(miner)).toEqual(["user:{p0} 2", "user:{p0} 5000"])
})

it("remembers who owns each key of a small database", () => {
  const miner = mined([...users(3), ["lonely"]])
  expect(miner.witnesses.map(([key, row]) => [key, row?.pattern()])).toEqual([
    ["lonely", "lonely"],
    ["user:1", "user:{p0}"],
    ["user:2", "user:{p0}"],
    ["user:3", "user:{p0}"],
  ])
})

it("counts Keywright's own keys, and learns nothing from them", () => {
  const never = toolkitKeys().find(({ ttl }) => ttl?.on === "never")!
  const key = never.pattern.replace(/\{\w+\}/g, "x")
  const miner = mined([[key, redisTypes[never.kind]]])
  expect([miner.keys, miner.rows, miner.own.examples]).toEqual([1, [], [key]])
})
