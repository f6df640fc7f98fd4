import { expect, it } from "vitest"
import * as z from "zod"
import { entity, json } from "../../../index.ts"
import { modelFor, type Replies, suspicionsOf } from "./check.cases.ts"
import { referenceCheck } from "./reference.ts"

const Doc = json(z.object({ id: z.string(), roleId: z.string().nullish() }))
const modelWith = (relation: object) =>
  modelFor(
    { user: entity("user:{id}", Doc), role: entity("role:{id}", Doc) },
    { relations: { user: { role: { one: "role", from: "roleId", ...relation } } } },
  )
const value = '{"id":"7","roleId":"3"}'
const missing = ["REFERENCE.MISSING user:7 (field roleId): role 3 / no such record"]

it.each<[string, value: string, Replies, string[], relation?: object]>([
  ["exists", value, { "EXISTS role:3": 1 }, []],
  ["does not", value, { "EXISTS role:3": 0, "GET user:7": value }, missing],
  ["does not, and was changed meanwhile", value, { "EXISTS role:3": 0, "GET user:7": '{"id":"7","roleId":"4"}' }, []],
  ["may dangle", value, {}, [], { mayDangle: true }],
  ["is null", '{"id":"7","roleId":null}', {}, []],
  ["is not a field of any document", "text", {}, []],
])("what a record refers to %s", (_, record, replies, found, relation = {}) => {
  expect(suspicionsOf(modelWith(relation), referenceCheck, "user:7", { elements: [record] }, replies)).toEqual(found)
})
