import { expect, it } from "vitest"
import * as z from "zod"
import { entity, json } from "../../../index.ts"
import { Collected, modelFor, type Replies, suspicionsOf } from "./check.cases.ts"
import { compareCounters, counterCheck } from "./counter.ts"
import type { Inquiry } from "../inquiry.ts"

const behind = (found: string) => [`COUNTER.BEHIND next: at least 12 / ${found}; SET next 12`]

it.each<[string, ids: string[], Replies, string[]]>([
  ["at the highest id", ["3", "12", "x"], { "GET next": "12" }, []],
  ["beyond it", ["12"], { "GET next": "40" }, []],
  ["behind", ["12", "3"], { "GET next": "3", "EXISTS user:12": 1 }, behind("3")],
  ["behind a record that has gone", ["12"], { "GET next": "3", "EXISTS user:12": 0 }, []],
  ["absent", ["12"], { "GET next": null, "EXISTS user:12": 1 }, behind("no counter")],
  [
    "not a number",
    ["12"],
    { "GET next": "1.5", "EXISTS user:12": 1 },
    ["COUNTER.NOT_A_NUMBER next: a whole number / something else; SET next 12"],
  ],
  [
    "higher than any id",
    ["12"],
    { "GET next": "999999999999999998", "EXISTS user:12": 1 },
    ["COUNTER.TOO_HIGH next: at most 9007199254740000 / 999999999999999998"],
  ],
  ["of no numeric ids", ["x"], {}, []],
])("a counter that is %s", (_, ids, replies, found) => {
  const model = modelFor({ user: entity("user:{id}", json(z.object({ id: z.string() })), { counter: "next" }) })
  for (const id of ids) suspicionsOf(model, counterCheck, `user:${id}`, {})
  const inquiry = new Collected(model, replies)
  compareCounters(inquiry as unknown as Inquiry)
  expect(inquiry.held()).toEqual(found)
})
