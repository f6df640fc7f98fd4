import { expect, it } from "vitest"
import * as z from "zod"
import { entity, json } from "../../../index.ts"
import { modelFor, type Replies, suspicionsOf } from "./check.cases.ts"
import { indexEntriesCheck } from "./index-entries.ts"

const Doc = json(z.object({ id: z.string(), mail: z.string(), role: z.string(), at: z.number() }))
const doc = (id: string, mail = "m", role = "r", at = 5) => JSON.stringify({ id, mail, role, at })
const model = modelFor({
  user: entity("user:{id}", Doc, {
    unique: { mail: "mail:{mail}" },
    index: { role: "role:{role}", newest: { patterns: "newest:{role}", score: "at" } },
  }),
})
const right: Replies = { "GET user:7": doc("7"), "GET mail:m": "7", "SISMEMBER role:r 7": 1, "ZSCORE newest:r 7": "5" }

it.each<[string, Replies, string[]]>([
  ["all as they should be", {}, []],
  [
    "no member",
    { "SISMEMBER role:r 7": 0 },
    ["INDEX.MISSING role:r (member 7): user 7 / no such entry; SADD role:r 7"],
  ],
  ["no member of a record that was changed", { "SISMEMBER role:r 7": 0, "GET user:7": doc("7", "m", "s") }, []],
  [
    "no score",
    { "ZSCORE newest:r 7": null },
    ["INDEX.MISSING newest:r (member 7): user 7 / no such entry; ZADD newest:r 5 7"],
  ],
  [
    "another score",
    { "ZSCORE newest:r 7": "6" },
    ["INDEX.SCORE newest:r (member 7): the score 5 / another score; ZADD newest:r XX 5 7"],
  ],
  ["no unique entry", { "GET mail:m": null }, ["UNIQUE.MISSING mail:m: user 7 / no such entry; SET mail:m 7"]],
  [
    "a unique entry of a record that is gone",
    { "GET mail:m": "8", "GET user:8": null, "EXISTS user:8": 0 },
    ["UNIQUE.DANGLING mail:m: user 7 / the id of a record that does not exist; SET mail:m 7"],
  ],
  [
    "a unique entry of a record with another value",
    { "GET mail:m": "8", "GET user:8": doc("8", "x"), "EXISTS user:8": 1 },
    ["UNIQUE.STALE mail:m: user 7 / the id of a record with another value; SET mail:m 7"],
  ],
  [
    "a value that another record has",
    { "GET mail:m": "8", "GET user:8": doc("8"), "EXISTS user:8": 1 },
    ["UNIQUE.TAKEN user:7 (field mail): a value that no other record has / the value of user 8"],
  ],
])("a record with %s", (_, replies, found) => {
  expect(suspicionsOf(model, indexEntriesCheck, "user:7", { elements: [doc("7")] }, { ...right, ...replies })).toEqual(
    found,
  )
})

it("a record whose value no key can hold", () => {
  const wild = doc("7", "a b")
  expect(
    suspicionsOf(model, indexEntriesCheck, "user:7", { elements: [wild] }, { ...right, "GET user:7": wild }),
  ).toEqual(["ENTITY.NOT_INDEXABLE user:7 (field mail): a value that can be used in mail:{mail} / a value that cannot"])
})
