import { expect, it } from "vitest"
import * as z from "zod"
import { entity, json } from "../../../index.ts"
import { modelFor, type Replies, suspicionsOf } from "./check.cases.ts"
import { expiredRead } from "./expired.ts"
import { indexHoldersCheck } from "./index-holders.ts"

const Doc = json(z.object({ id: z.string(), mail: z.string(), role: z.string() }))
const doc = (role: string) => JSON.stringify({ id: "7", mail: "m", role })
const model = modelFor({
  user: entity("user:{id}", Doc, { unique: { mail: "mail:{mail}" }, index: { role: "role:{role}" } }),
})
const notes = expiredRead(model, model.entities.get("user")!, {}).command.join(" ")
const gone: Replies = { "GET user:7": null, "EXISTS user:7": 0, [notes]: [] }

it.each<[string, key: string, Replies, string[]]>([
  ["leads to its record", "role:r", { "GET user:7": doc("r") }, []],
  [
    "leads to nothing",
    "role:r",
    { ...gone, "SISMEMBER role:r 7": 1 },
    ["INDEX.DANGLING role:r (member 7): user 7 / no such record; SREM role:r 7"],
  ],
  ["led to nothing, and was removed", "role:r", { ...gone, "SISMEMBER role:r 7": 0 }, []],
  [
    "leads to a record with another value",
    "role:r",
    { "GET user:7": doc("s"), "EXISTS user:7": 1, "SISMEMBER role:r 7": 1 },
    [
      "INDEX.STALE role:r (member 7): a record with role as in this key / user 7, which has another value; SREM role:r 7",
    ],
  ],
  [
    "is unique and leads to nothing",
    "mail:m",
    { ...gone, "GET mail:m": "7" },
    ["UNIQUE.DANGLING mail:m: user 7 / no such record; UNLINK mail:m"],
  ],
  ["is unique and leads elsewhere by now", "mail:m", { ...gone, "GET mail:m": "8" }, []],
])("an entry that %s", (_, key, replies, found) => {
  expect(suspicionsOf(model, indexHoldersCheck, key, { elements: ["7"] }, replies)).toEqual(found)
})
