import { expect, it } from "vitest"
import { either, string, text, type Ttl } from "../../../index.ts"
import { modelFor, suspicionsOf } from "./check.cases.ts"
import { ttlCheck } from "./ttl.ts"

it.each<[string, Ttl, ttl: number, now: number, string[]]>([
  ["as declared", "10s", 9000, 9000, []],
  ["gone meanwhile", "10s", -1, -2, []],
  ["set meanwhile", "10s", -1, 5000, []],
  ["missing", "10s", -1, -1, ["TTL.MISSING a: at most 10s / no TTL; PEXPIRE a 10000"]],
  ["too long", "10s", 20_400, 20_000, ["TTL.TOO_LONG a: at most 10s / a TTL of 20 s; PEXPIRE a 10000"]],
  ["unexpected", "never", 5000, 4000, ["TTL.UNEXPECTED a: no TTL / a TTL of 5 s; PERSIST a"]],
  ["one of several choices", either("10s", "never"), -1, -1, []],
  [
    "none of several choices",
    either("10s", "never"),
    20_000,
    20_000,
    ["TTL.TOO_LONG a: at most 10s or no TTL / a TTL of 20 s; PEXPIRE a 10000"],
  ],
])("%s", (_, ttl, left, now, found) => {
  const model = modelFor({ a: string("a", text, { ttl }) })
  expect(suspicionsOf(model, ttlCheck, "a", { ttl: left }, { "PTTL a": now })).toEqual(found)
})

it("says nothing where nothing is decided, nor of further parts of a key", () => {
  expect(suspicionsOf(modelFor({ a: string("a", text) }), ttlCheck, "a", { ttl: 5 })).toEqual([])
  expect(suspicionsOf(modelFor({ a: string("a", text, { ttl: "1s" }) }), ttlCheck, "a", { first: false })).toEqual([])
})
