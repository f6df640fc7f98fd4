/* Rules that infer proposed: what differs from them is reported, and repair leaves it alone until somebody confirms
 * them, all at once or entry by entry. */

import { beforeEach, describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { planRepair } from "../../change/make-plan/plan-repair.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { hash, list, set, string } from "../../schema/define.ts"
import { scope } from "../../schema/group.ts"
import { sameIds } from "../../schema/invariant.ts"
import { id } from "../../schema/codec/id.ts"
import { fromJson } from "../../schema/json/from-json.ts"
import { toJson } from "../../schema/json/to-json.ts"
import { keyspace, type Keyspace } from "../../schema/keyspace.ts"
import { audit } from "./audit.ts"
import { hasContradictions } from "./unconfirmed.ts"
import { redisForSuite } from "../../driver/redis-for-suite.cases.ts"

const user = id("user")
const entries = (inferred: { readonly inferred?: boolean }) => ({
  feed: list("feed:{id}", text, { keep: 3, ttl: "never", ...inferred }),
  page: string("page:{id}", text, { ttl: "1m" }),
  job: hash("job:{id}", { n: int }, { ttl: "never" }),
  open: set("open", text),
  one: set("one", user, { ttl: "never" }),
  other: set("other", user, { ttl: "never" }),
})
const invariants = [sameIds(user, ["one", "other"])]
const all = (options: { readonly inferred?: boolean }, own: { readonly inferred?: boolean } = {}) =>
  fromJson(toJson(keyspace(entries(own), { ...options, invariants }) as unknown as Keyspace))

describe.runIf(needs("redis-server"))("what nobody has confirmed", { timeout: 60_000 }, () => {
  const server = redisForSuite()
  beforeEach(async () => {
    await server.driver.send(["FLUSHALL"])
    await server.driver.batch([
      ["RPUSH", "feed:1", "a", "b", "c", "d"],
      ["SET", "page:1", "x"],
      ["HSET", "job:1", "n", "1", "error", "no"],
      ["SADD", "open", "x"],
      ["SADD", "one", "1"],
      ["SADD", "other", "1", "2"],
      ["SET", "stranger", "x"],
    ])
  })
  const found = async (schema: Keyspace) => {
    const { findings } = await audit(schema, server.driver)
    const plan = await planRepair(findings, schema, server.driver, { delete: ["unknown", "fields", "excess"] })
    return {
      codes: findings.map(({ code, fixable, inferred }) => `${code} ${fixable} ${inferred === true}`).sort(),
      planned: plan.actions.map(({ code }) => code).sort(),
      unconfirmed: plan.unconfirmed ?? {},
    }
  }

  it("is reported, and not repaired, whatever may be deleted", async () => {
    expect(await found(all({ inferred: true }))).toEqual({
      codes: ["KEY.UNKNOWN false true", "SAME.EXTRA false true", "TTL.MISSING false true", "VALUE.TOO_MANY false true"],
      planned: [],
      unconfirmed: { "KEY.UNKNOWN": 1, "SAME.EXTRA": 1, "TTL.MISSING": 1, "VALUE.TOO_MANY": 1 },
    })
  })

  it("is repaired when the mark is gone, and what was undecided is a finding then", async () => {
    const { codes, planned, unconfirmed } = await found(all({}))
    expect(codes).toContain("TTL.UNDECIDED false false")
    expect(codes).toContain("VALUE.FIELD_UNKNOWN false false")
    expect(planned).toEqual(["KEY.UNKNOWN", "SAME.EXTRA", "TTL.MISSING", "VALUE.FIELD_UNKNOWN", "VALUE.TOO_MANY"])
    expect(unconfirmed).toEqual({})
  })

  it("is confirmed for one entry, or doubted for one", async () => {
    expect((await found(all({ inferred: true }, { inferred: false }))).planned).toEqual(["VALUE.TOO_MANY"])
    expect((await found(all({}, { inferred: true }))).unconfirmed).toEqual({ "VALUE.TOO_MANY": 1 })
  })

  it("is said by a group for all of its entries", async () => {
    const schema = keyspace({ pages: scope("page:", { one: string("{id}", text, { ttl: "1m" }) }, { inferred: true }) })
    const { findings } = await audit(schema as unknown as Keyspace, server.driver, { match: "page:*" })
    expect(findings.map(({ code, inferred }) => [code, inferred])).toEqual([["TTL.MISSING", true]])
  })
})

it.each([
  [[], false],
  [["KEY.UNKNOWN"], false],
  [["VALUE.FIELD_UNKNOWN", "VALUE.TOO_LARGE"], false],
  [["KEY.UNKNOWN", "KEY.TYPE"], true],
  [["INDEX.DANGLING"], true],
])("%j: contradictions %s", (codes, expected) => {
  expect(hasContradictions({ summary: Object.fromEntries(codes.map((code) => [code, 1])) })).toBe(expected)
})
