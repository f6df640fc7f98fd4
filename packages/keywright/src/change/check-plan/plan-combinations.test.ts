/* Plan files whose actions rest on a record as it is not yet: an earlier action, or somebody else while the user is asked,
 * makes it so. They are checked by what is there when they are loaded, and what is not there justifies nothing. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, expect, it } from "vitest"
import * as z from "zod"
import { onAnyServer } from "../../client/servers.cases.ts"
import type { Command } from "../../driver/driver.ts"
import { sha1, unorderedDigest } from "../../driver/reply-digest.ts"
import { entity, json, keyspace, layout, optional, text } from "../../index.ts"
import { audit } from "../../inspect/audit/audit.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { applyRepair, doneOf } from "../carry-out/carry-out.ts"
import { journalOf, loadPlan, savePlan } from "../make-plan/plan-file.ts"
import { planRepair } from "../make-plan/plan-repair.ts"

const record = layout({ key: "{entity}:{id}", all: "{entity}:list", index: "{entity}:index:{index}:{value}" })
const schema = keyspace(
  {
    acct: entity(
      "acct:{id}",
      { id: text, email: text, role: text, note: optional(text) },
      { unique: { email: "acct-email:{email}" }, index: { role: "acct-role:{role}" } },
    ),
    user: record("user", json(z.object({ id: z.string(), email: z.string() })), { unique: { email: "email" } }),
  },
  { ttl: "never" },
) as unknown as Keyspace

const EVE = ["id", "66", "email", "eve@x", "role", "USER"]
const OTHER_EVE = JSON.stringify({ email: "eve@x", id: "66" })
const right: readonly Command[] = [
  ["HSET", "acct:1", "id", "1", "email", "boss@x", "role", "ADMIN"],
  ["HSET", "acct:66", ...EVE, "note", "hi"],
  ["SET", "acct-email:boss@x", "1"],
  ["SET", "acct-email:eve@x", "66"],
  ["SADD", "acct-role:ADMIN", "1"],
  ["SADD", "acct-role:USER", "66"],
  ["SET", "user:1", JSON.stringify({ id: "1", email: "boss@x" })],
  ["SET", "user:66", JSON.stringify({ id: "66", email: "eve@x" })],
  ["SET", "user:index:email:boss@x", "1"],
  ["SET", "user:index:email:eve@x", "66"],
  ["SADD", "user:list", "1", "66"],
]

type Condition = readonly [read: readonly string[], is: unknown]
const action = (code: string, pattern: string, command: readonly string[], ...expects: readonly Condition[]) => ({
  code,
  db: 0,
  pattern,
  key: command[1],
  why: "x",
  expects: expects.map(([read, is]) => ({ read, is })),
  commands: [command],
  undo: [],
})

const withoutNote: Condition = [["HGETALL", "acct:66"], { pairs: unorderedDigest(EVE, 2) }]
const BOSS = "user:index:email:boss@x"

const folder = mkdtempSync(join(tmpdir(), "keywright-combined-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let count = 0

onAnyServer("an action that rests on a record as it is not yet", (server) => {
  const send = (...command: Command) => server().driver.send(command)
  const load = async (...actions: readonly unknown[]) => {
    const file = join(folder, `${process.pid}-${count++}.json`)
    writeFileSync(file, JSON.stringify({ ...(await planRepair([], schema, server().driver)), actions }))
    return { file, plan: await loadPlan(file, schema, server().driver, { for: "repair" }) }
  }
  beforeEach(async () => {
    for (const command of right) await send(...command)
  })

  it("is of data that is right", async () => {
    expect((await audit(schema, server().driver)).summary).toEqual({})
  })

  it("is skipped when an earlier action of its plan makes the record so", async () => {
    await send("HDEL", "acct:66", "note")
    await send("HSET", "acct:66", "more", "hi")
    const { plan } = await load(
      action("VALUE.FIELD_UNKNOWN", "acct:{id}", ["HDEL", "acct:66", "more"], [["HEXISTS", "acct:66", "more"], 1]),
      action(
        "UNIQUE.STALE",
        "acct-email:{email}",
        ["SET", "acct-email:boss@x", "66"],
        withoutNote,
        [["GET", "acct-email:boss@x"], "1"],
        [["EXISTS", "acct:1"], 0],
      ),
      action("INDEX.MISSING", "acct-role:{role}", ["SADD", "acct-role:ADMIN", "66"], withoutNote),
      action("INDEX.STALE", "acct-role:{role}", ["SREM", "acct-role:USER", "66"], withoutNote),
    )
    expect(plan.outdated).toEqual([1, 2, 3])
    const { outcomes } = await applyRepair(plan, server().driver)
    expect(outcomes).toEqual(["done", "skipped", "skipped", "skipped"])
    expect(await send("GET", "acct-email:boss@x")).toBe("1")
    expect(await send("SMEMBERS", "acct-role:ADMIN")).toEqual(["1"])
    expect(await send("SMEMBERS", "acct-role:USER")).toEqual(["66"])
  })

  it("is skipped when somebody makes the record so after the plan was checked", async () => {
    const { plan, file } = await load(
      action(
        "UNIQUE.STALE",
        "user:index:email:{email}",
        ["SET", BOSS, "66"],
        [["GET", "user:66"], { sha1: sha1(OTHER_EVE), length: OTHER_EVE.length }],
        [["GET", BOSS], "1"],
        [["EXISTS", "user:1"], 0],
      ),
      action("LIST.MISSING", "user:list", ["SADD", "user:list", "77"], [["EXISTS", "user:77"], 1]),
    )
    await send("SET", "user:66", OTHER_EVE)
    await send("DEL", "user:1")
    await send("SET", "user:77", "not a record")
    const journal = journalOf(file)
    expect(await applyRepair(plan, server().driver, { journal })).toMatchObject({ done: 0, skipped: 2 })
    // Nor when it is loaded and carried out once more.
    const again = await loadPlan(file, schema, server().driver).catch(() => plan)
    expect(await applyRepair(again, server().driver, { journal })).toMatchObject({ done: 0, skipped: 2 })
    expect(await send("GET", BOSS)).toBe("1")
    expect(await send("SISMEMBER", "user:list", "77")).toBe(0)
  })

  it("is refused when it only says that the record exists", async () => {
    const forged = [
      action("INDEX.MISSING", "acct-role:{role}", ["SADD", "acct-role:USER", "66"], [["EXISTS", "acct:66"], 1]),
      action("INDEX.STALE", "acct-role:{role}", ["SREM", "acct-role:ADMIN", "66"], [["EXISTS", "acct:66"], 1]),
    ]
    for (const one of forged) await expect(load(one)).rejects.toMatchObject({ code: "CHANGE.PLAN" })
  })

  it("is skipped alone when an honest plan has it, because its record has changed since", async () => {
    await send("SREM", "acct-role:ADMIN", "1")
    await send("SREM", "acct-role:USER", "66")
    await send("DEL", "user:index:email:eve@x")
    await send("SREM", "user:list", "66")
    const { driver } = server()
    const made = await planRepair((await audit(schema, driver)).findings, schema, driver)
    const file = join(folder, `${process.pid}-${count++}.json`)
    savePlan(made, file)
    await send("HSET", "acct:1", "note", "new")
    await send("DEL", "user:66")
    const journal = journalOf(file)
    const loaded = await loadPlan(file, schema, driver)
    const report = await applyRepair({ ...loaded, unreadable: [] }, driver, { journal })
    expect(made.actions.map(({ code }, i) => [code, report.outcomes[i]])).toEqual([
      ["INDEX.MISSING", "skipped"],
      ["INDEX.MISSING", "done"],
      ["LIST.MISSING", "skipped"],
      ["UNIQUE.MISSING", "skipped"],
    ])
    // The journal is that of the plan, whatever was outdated, or could not be read, when it was written.
    expect(doneOf(made, journal)).toEqual([false, true, false, false])
  })
})
