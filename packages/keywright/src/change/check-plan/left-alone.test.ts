/* Plan files that change what repair leaves alone: what an inferred rule calls wrong, and what the application accepts. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, expect, it } from "vitest"
import { onAnyServer } from "../../client/servers.cases.ts"
import { hash, id, keyspace, refersTo, set, text } from "../../index.ts"
import { audit, type AuditOptions } from "../../inspect/audit/audit.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import type { CheckPlanOptions } from "./check-plan.ts"
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
