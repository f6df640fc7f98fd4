import { expect, it } from "vitest"
import * as z from "zod"
import { entity, id, json, set } from "../../../index.ts"
import { modelFor, type Replies, suspicionsOf } from "./check.cases.ts"
import { throughCheck } from "./through.ts"

const Doc = json(z.object({ id: z.string() }))
const model = modelFor(
  { user: entity("user:{id}", Doc), role: entity("role:{id}", Doc), roles: set("roles:{user}", id("role")) },
  { relations: { user: { roles: { many: "role", through: "roles" } } } },
)
const there: Replies = { "EXISTS role:3": 1, "EXISTS user:7": 1 }

it.each<[string, Replies, string[]]>([
  ["both records", {}, []],
  [
    "no such member",
    { "EXISTS role:3": 0, "SISMEMBER roles:7 3": 1 },
    ["THROUGH.DANGLING roles:7 (member 3): role 3 / no such record; SREM roles:7 3"],
  ],
  ["no such member, which was removed", { "EXISTS role:3": 0, "SISMEMBER roles:7 3": 0 }, []],
])("a set between %s", (_, replies, found) => {
  expect(
    suspicionsOf(model, throughCheck, "roles:7", { elements: ["3"] }, { ...there, "EXISTS roles:7": 1, ...replies }),
  ).toEqual(found)
})

it("a set without its owner", () => {
  const found = suspicionsOf(
    model,
    throughCheck,
    "roles:7",
    { elements: ["3"] },
    { "EXISTS role:3": 1, "EXISTS user:7": 0, "EXISTS roles:7": 1 },
  )
  expect(found.map((one) => one.slice(0, one.indexOf(":")))).toEqual(["THROUGH.ORPHAN roles"])
})
