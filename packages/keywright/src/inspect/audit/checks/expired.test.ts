import { expect, it } from "vitest"
import * as z from "zod"
import { entity, json } from "../../../index.ts"
import { modelFor, NOW, suspicionsOf } from "./check.cases.ts"
import { expiredRead, expiryCheck } from "./expired.ts"

const model = modelFor({ user: entity("user:{id}", json(z.object({ id: z.string() })), { all: "users", ttl: "1h" }) })
const [, key] = expiredRead(model, model.entities.get("user")!, {}).command as readonly string[]

it("reads the notes that are due, with some minutes of other clocks", () => {
  const { command } = expiredRead(model, model.entities.get("user")!, {})
  expect(command).toEqual(["ZRANGE", key, "-inf", String(NOW + 60_000), "BYSCORE", "LIMIT", "0", "2000"])
})

it.each<[string, score: string | null, string[]]>([
  [
    "a note that nobody can read",
    "1",
    [`EXPIRY.UNREADABLE ${key} (member …): what ends with a record / something else; ZREM ${key} rubbish`],
  ],
  ["one that was removed meanwhile", null, []],
])("%s", (_, score, found) => {
  expect(
    suspicionsOf(model, expiryCheck, key!, { elements: ["rubbish", "1"] }, { [`ZSCORE ${key} rubbish`]: score }),
  ).toEqual(found)
})
