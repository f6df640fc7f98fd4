import { expect, it } from "vitest"
import * as z from "zod"
import { entity, json } from "../../index.ts"
import { modelFor } from "./checks/check.cases.ts"
import { seenRecordsOf, SeenRecords } from "./seen-records.ts"

const Doc = json(z.object({ id: z.string() }))
const model = modelFor({ user: entity("user:{id}", Doc), role: entity("role:{id}", Doc) })
const [user, role] = ["user", "role"].map((name) => model.entities.get(name)!)

it("knows the records that were added, of each entity apart", () => {
  const records = new SeenRecords()
  records.add(user!, "7", {})
  expect([records.has(user!, "7", {}), records.has(role!, "7", {}), records.has(user!, "8", {})]).toEqual([
    true,
    false,
    false,
  ])
})

it("is one for each audit", () => {
  expect(seenRecordsOf(model)).toBe(seenRecordsOf(model))
  expect(seenRecordsOf(modelFor({}))).not.toBe(seenRecordsOf(model))
})
