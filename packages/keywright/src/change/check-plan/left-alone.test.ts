/* Plan files that change what repair leaves alone: what an inferred rule calls wrong, and what the application accepts. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, expect, it } from "vitest"
import { onAnyServer } from "../../client/servers.cases.ts"
import { hash, id, int, keyspace, list, map, refersTo, set, string, text } from "../../index.ts"
import { audit, type AuditOptions } from "../../inspect/audit/audit.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import type { CheckPlanOptions } from "./check-plan.ts"
import { applyRepair } from "../carry-out/carry-out.ts"
import type { Action } from "../plan/plan.ts"
import { loadPlan, savePlan } from "../make-plan/plan-file.ts"
import { planPurge } from "../make-plan/plan-purge.ts"
import { planRepair } from "../make-plan/plan-repair.ts"

const post = id("post")
/** Its guesses are confirmed, or some of them are not: the same findings. */
const schemaOf = (entry: { readonly inferred?: boolean }, whole: { readonly inferred?: boolean } = {}) =>
  keyspace(
    {
      posts: set("posts", post),
      guess: set("guess", post, entry),
      card: hash("card:{id}", { title: text }, entry),
    },
    { ttl: "never", invariants: [refersTo(post, "guess", "posts")], ...whole },
  ) as unknown as Keyspace

const folder = mkdtempSync(join(tmpdir(), "keywright-left-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

onAnyServer("a plan file", (server) => {
  const file = join(folder, `${process.pid}.json`)
  /** The plan of a schema without guesses, as if it were of this one: what became of each of its actions. */
  const loaded = async (schema: Keyspace, options: CheckPlanOptions = {}) => {
    const { driver } = server()
    const { findings } = await audit(schemaOf({}), driver)
    const { actions } = await planRepair(findings, schemaOf({}), driver, { delete: ["unknown", "fields"] })
    const empty = await planRepair([], schema, driver)
    const fates: Record<string, string> = {}
    for (const action of actions) {
      writeFileSync(file, JSON.stringify({ ...empty, actions: [action] }))
      fates[action.code] = await loadPlan(file, schema, driver, { for: "repair", ...options }).then(
        () => "accepted",
        (error: Error) => error.message,
      )
    }
    return fates
  }
  beforeEach(async () => {
    const { driver } = server()
    await driver.send(["SADD", "guess", "p9"])
    await driver.send(["HSET", "card:1", "title", "x", "more", "y"])
    await driver.send(["SET", "other-app:1", "precious"])
  })

  it("is accepted where the rules are confirmed", async () => {
    expect(await loaded(schemaOf({}))).toEqual({
      "KEY.UNKNOWN": "accepted",
      "REFERS.DANGLING": "accepted",
      "VALUE.FIELD_UNKNOWN": "accepted",
    })
  })

  it("is refused where it rests on an entry that was inferred", async () => {
    expect(await loaded(schemaOf({ inferred: true }))).toEqual({
      "KEY.UNKNOWN": "accepted",
      "REFERS.DANGLING": expect.stringContaining("depends on an inferred rule"),
      "VALUE.FIELD_UNKNOWN": expect.stringContaining("depends on an inferred rule"),
    })
  })

  it("is refused where it rests on a whole schema that was inferred", async () => {
    expect(await loaded(schemaOf({}, { inferred: true }))).toMatchObject({
      "KEY.UNKNOWN": expect.stringContaining("depends on an inferred rule"),
      "REFERS.DANGLING": expect.stringContaining("depends on an inferred rule"),
    })
  })

  it("is refused where it changes what the application accepts", async () => {
    const accept: AuditOptions["accept"] = ({ code, key, found }, context) =>
      code === "KEY.UNKNOWN" && key.startsWith("other-app:") && found !== "" && context.key === "other-app:1"
    expect(await loaded(schemaOf({}), { accept })).toMatchObject({
      "KEY.UNKNOWN": expect.stringContaining("changes what the config accepts"),
      "REFERS.DANGLING": "accepted",
    })
  })

  it("of purge deletes what was asked for, inferred or not", async () => {
    const schema = schemaOf({ inferred: true }, { inferred: true })
    const { driver } = server()
    savePlan(await planPurge(schema, driver, { match: "*" }), file)
    const { actions } = await loadPlan(file, schema, driver, { for: "purge", accept: () => true })
    expect(actions).toHaveLength(3)
  })
})

const named = keyspace(
  {
    card: hash("card:{id}", { title: text }),
    stock: map("stock", text, int),
    queue: list("queue", int),
    lent: string("lent:{thing}", text, { ttl: "1h" }),
  },
  { ttl: "never" },
) as unknown as Keyspace

/** For each code, accepts one finding and not another. */
const accepts: NonNullable<AuditOptions["accept"]> = ({ code, place = {}, expected, found }) =>
  ("field" in place && place.field === "legacy") ||
  ("index" in place && place.index === "1") ||
  (code === "KEY.UNKNOWN" && found === "a string") ||
  (code === "TTL.TOO_LONG" && expected === "at most 1h" && /^a TTL of 7\d{3} s$/.test(found))

/** What a forged plan may say of an action, besides what it does. */
const lies: readonly Partial<Pick<Action, "place" | "why">>[] = [
  { place: { field: "other" } },
  { place: { member: "legacy" } },
  { place: { index: "0" } },
  { why: "Expected something, found nothing." },
  { why: "x" },
  {},
]

onAnyServer("a plan file that tells something else about what it changes", (server) => {
  const file = join(folder, `${process.pid}-told.json`)
  const plan = async (accept?: AuditOptions["accept"]) => {
    const { driver } = server()
    const { findings } = await audit(named, driver, accept && { accept })
    return planRepair(findings, named, driver, { delete: ["unknown", "fields", "broken"] })
  }
  const load = () => loadPlan(file, named, server().driver, { for: "repair", accept: accepts })
  beforeEach(async () => {
    const { driver } = server()
    await driver.send(["HSET", "card:1", "title", "x", "legacy", "y", "other", "z"])
    await driver.send(["HSET", "stock", "legacy", "many", "other", "few"])
    await driver.send(["RPUSH", "queue", "a", "b"])
    await driver.send(["SET", "other-app:1", "precious"])
    await driver.send(["SADD", "other-app:2", "precious"])
    await driver.send(["SET", "lent:book", "ann", "PX", "7200400"])
  })

  it("is refused where the audit would have left that alone", async () => {
    const wanted = (await plan(accepts)).actions.map((action) => JSON.stringify(action.commands))
    const all = await plan()
    const others = all.actions.filter(({ commands }) => !wanted.includes(JSON.stringify(commands)))
    expect(others.map(({ commands }) => commands[0]!.slice(0, 3).join(" ")).sort()).toEqual([
      "HDEL card:1 legacy",
      "HDEL stock legacy",
      "LREM queue 0",
      "PEXPIRE lent:book 3600000",
      "UNLINK other-app:1",
    ])
    for (const { place: _, ...action } of others)
      for (const lie of lies) {
        writeFileSync(file, JSON.stringify({ ...all, actions: [{ ...action, ...lie }] }))
        await expect(load()).rejects.toThrow("changes what the config accepts")
      }
  })

  it("is carried out where it would not have, whatever it tells", async () => {
    const made = await plan(accepts)
    const actions = made.actions.map((action) => ({ ...action, place: { field: "legacy" } }))
    writeFileSync(file, JSON.stringify({ ...made, actions }))
    expect(await applyRepair(await load(), server().driver)).toMatchObject({ done: 4, skipped: 0 })
  })

  it("is skipped where nothing is wrong when it is loaded, even if that changes", async () => {
    const { driver } = server()
    const made = await plan()
    const actions = made.actions.filter(({ commands }) => commands[0]![2] === "legacy" && commands[0]![1] === "card:1")
    writeFileSync(file, JSON.stringify({ ...made, actions }))
    await driver.send(["HDEL", "card:1", "legacy"])
    const loaded = await load()
    await driver.send(["HSET", "card:1", "legacy", "y"])
    expect(await applyRepair(loaded, driver)).toMatchObject({ done: 0, skipped: 1 })
    expect(await driver.send(["HGET", "card:1", "legacy"])).toBe("y")
  })
})
