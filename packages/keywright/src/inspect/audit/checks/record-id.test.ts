import { expect, it } from "vitest"
import * as z from "zod"
import { entity, hash, json, text } from "../../../index.ts"
import { modelFor, suspicionsOf } from "./check.cases.ts"
import { recordIdCheck } from "./record-id.ts"

const model = modelFor({
  user: entity("user:{id}", json(z.object({ id: z.union([z.string(), z.number()]) }))),
  plain: hash("plain", { id: text }),
})
const wrong = (id: string) => [`ENTITY.ID user:7 (field id): 7 / ${id}`]

it.each<[string, now: string | null, string[]]>([
  ['{"id":"7"}', null, []],
  ['{"id":7}', null, []],
  ["{}", null, []],
  ["no document", null, []],
  ['{"id":"8"}', '{"id":"8"}', wrong("8")],
  ['{"id":"8"}', '{"id":"7"}', []],
  ['{"id":"8"}', null, []],
])("%s, then %s", (value, now, found) => {
  expect(suspicionsOf(model, recordIdCheck, "user:7", { elements: [value] }, { "GET user:7": now })).toEqual(found)
})

it("looks at records only", () => {
  expect(recordIdCheck(model.keys.get("plain")!, model)).toBeUndefined()
})
