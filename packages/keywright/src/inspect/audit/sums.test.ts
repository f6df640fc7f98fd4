import { expect, it } from "vitest"
import * as z from "zod"
import { entity, json } from "../../index.ts"
import { modelFor, suspicionsOf } from "./checks/check.cases.ts"
import { sumCheck, Sums } from "./sums.ts"

const Doc = json(z.object({ id: z.string(), role: z.string() }))
const model = modelFor({ user: entity("user:{id}", Doc, { all: "users", index: { role: "role:{role}" } }) })
const doc = (id: string, role = "r") => JSON.stringify({ id, role })
const all: [string, string[]][] = [
  ["user:7", [doc("7")]],
  ["user:8", [doc("8")]],
  ["users", ["7", "8"]],
  ["role:r", ["8", "7"]],
]

it.each<[string, [string, string[]][], dirty: string[]]>([
  ["all fit", all, []],
  ["one is not listed", all.map(([key, elements]) => [key, key === "users" ? ["7"] : elements]), ["user:8", "users"]],
  [
    "one is indexed elsewhere",
    all.map(([key, elements]) => [key, key === "user:7" ? [doc("7", "s")] : elements]),
    ["user:7", "role:r"],
  ],
  ["a record is gone", all.slice(1), ["user:7", "users", "role:r"]],
])("%s", (_, keys, dirty) => {
  const sums = new Sums()
  for (const [key, elements] of keys) suspicionsOf(model, sumCheck(sums), key, { elements })
  const rowOf = (key: string) => [...model.keys.values()].find((row) => row.format.locate(key))!
  expect(sums.isClean).toBe(dirty.length === 0)
  expect(all.map(([key]) => key).filter((key) => sums.isDirty(rowOf(key), key))).toEqual(dirty)
})
