import { expect, it } from "vitest"
import * as z from "zod"
import { entity, json } from "../../../index.ts"
import { modelFor, type Replies, suspicionsOf } from "./check.cases.ts"
import { expiredRead } from "./expired.ts"
import { listEntryCheck, listHoldersCheck } from "./list.ts"

const model = modelFor({ user: entity("user:{id}", json(z.object({ id: z.string() })), { all: "users" }) })
const notes = expiredRead(model, model.entities.get("user")!, {}).command.join(" ")

it.each<[string, value: string, Replies, string[]]>([
  ["is listed", '{"id":"7"}', { "SISMEMBER users 7": 1 }, []],
  [
    "is not",
    '{"id":"7"}',
    { "SISMEMBER users 7": 0, "EXISTS user:7": 1 },
    ["LIST.MISSING users (member 7): user 7 / no such member; SADD users 7"],
  ],
  ["is not, and has gone", '{"id":"7"}', { "SISMEMBER users 7": 0, "EXISTS user:7": 0 }, []],
  ["is not a record", "text", { "SISMEMBER users 7": 0 }, []],
])("a record that %s", (_, value, replies, found) => {
  expect(suspicionsOf(model, listEntryCheck, "user:7", { elements: [value] }, replies)).toEqual(found)
})

it.each<[string, Replies, string[]]>([
  ["a record", { "EXISTS user:7": 1 }, []],
  [
    "none",
    { "EXISTS user:7": 0, "SISMEMBER users 7": 1, [notes]: [] },
    ["LIST.DANGLING users (member 7): user 7 / no such record; SREM users 7"],
  ],
  ["none, and was removed meanwhile", { "EXISTS user:7": 0, "SISMEMBER users 7": 0, [notes]: [] }, []],
])("an id in the list with %s", (_, replies, found) => {
  expect(suspicionsOf(model, listHoldersCheck, "users", { elements: ["7"] }, replies)).toEqual(found)
})
