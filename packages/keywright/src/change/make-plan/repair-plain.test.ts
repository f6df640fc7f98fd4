import { expect, it } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import { onAnyServer } from "../../client/servers.cases.ts"
import { audit } from "../../inspect/audit/audit.ts"
import { CANARY, damagePlaza, fillPlaza, plaza, writePlaza } from "../../inspect/audit/plaza.cases.ts"
import { text } from "../../schema/codec/text.ts"
import { list } from "../../schema/define.ts"
import { keyspace, type Keyspace } from "../../schema/keyspace.ts"
import { applyRepair, undoRepair } from "../carry-out/carry-out.ts"
import { type Deletion, deletions } from "./deletions.ts"
import { planRepair } from "./plan-repair.ts"
import { throughFile } from "../check-plan/saved-plan.cases.ts"
import { showCommand } from "../plan/show-words.ts"

const schema = plaza as unknown as Keyspace
const seeds = Array.from({ length: isFull ? 10 : 2 }, (_, i) => i + 1)
const all = Object.keys(deletions) as Deletion[]

/** What is in one place only, and what is too long to look at: only a person knows what is right. */
const FOR_PEOPLE = ["SAME.MISSING", "VALUE.TOO_LARGE"]

onAnyServer("repair of plain keys", (server) => {
  const planned = async (wanted: readonly Deletion[]) => {
    const { findings, summary } = await audit(schema, server().driver)
    const plan = await planRepair(findings, schema, server().driver, { delete: wanted })
    return { plan: await throughFile(plan, schema, server().driver), summary }
  }

  it.each(seeds)("sets every kind of damage right while writers run, seed %i", async (seed) => {
    const { driver } = server()
    await fillPlaza(driver, isFull ? 500 : 60)
    await damagePlaza(driver, seed)
    let over = false
    const writers = [1000, 2_000_000].map((from) => writePlaza(driver, () => over, from))
    const { plan } = await planned(all)
    const report = await applyRepair(plan, driver)
    expect(report.refused, report.refusal).toBe(0)
    // What was deleted leaves ids that refer to it, which the next look finds.
    for (let round = 0; round < 3; round++) await applyRepair((await planned(all)).plan, driver)
    over = true
    await Promise.all(writers)
    const { summary } = await audit(schema, driver)
    expect(Object.keys(summary).filter((code) => !FOR_PEOPLE.includes(code))).toEqual([])
    expect(JSON.stringify([plan, report])).not.toContain(CANARY)
    for (const action of plan.actions)
      for (const command of action.commands) expect(showCommand(action, command)).not.toContain(CANARY)
  })

  it("makes places equal to the truth and sets deadlines, deletes nothing else by default, and can be taken back", async () => {
    const { driver } = server()
    await fillPlaza(driver, 60)
    await damagePlaza(driver, 1)
    const { plan, summary } = await planned([])
    const report = await applyRepair(plan, driver)
    expect(report).toMatchObject({ done: plan.actions.length, refused: 0 })
    expect(new Set(plan.actions.map(({ code }) => code))).toEqual(
      new Set([
        ...["SAME.MISSING", "SAME.EXTRA", "REFERS.DANGLING", "INVERSE.MISSING", "INVERSE.EXTRA", "KEYOF.DANGLING"],
        ...["TTL.FAMILY", "TTL.MISSING", "TTL.TOO_LONG", "TTL.UNEXPECTED", "VALUE.TOO_MANY"],
      ]),
    )
    expect((await audit(schema, driver)).summary).toEqual(plan.left)
    const done = report.outcomes.map((outcome) => outcome === "done")
    expect(await undoRepair(plan, driver, { done })).toMatchObject({ refused: 0, skipped: 0 })
    expect((await audit(schema, driver)).summary).toEqual(summary)
  })

  it("trims a key that also lacks a deadline, by one plan, which can be taken back", async () => {
    const { driver } = server()
    const recent = keyspace({ recent: list("recent:{who}", text, { keep: 3, ttl: "1d" }) }) as unknown as Keyspace
    await driver.send(["RPUSH", "recent:ann", "1", "2", "3", "4", "5"])
    const { findings } = await audit(recent, driver)
    const plan = await throughFile(await planRepair(findings, recent, driver, { delete: ["excess"] }), recent, driver)
    expect(plan.actions.map(({ code }) => code)).toEqual(["VALUE.TOO_MANY", "TTL.MISSING"])
    expect(await applyRepair(plan, driver)).toMatchObject({ done: 2, skipped: 0 })
    expect((await audit(recent, driver)).summary).toEqual({})
    expect(await undoRepair(plan, driver, { done: [true, true] })).toMatchObject({ done: 2, skipped: 0 })
    expect(await driver.send(["LLEN", "recent:ann"])).toBe(5)
    expect(await driver.send(["PTTL", "recent:ann"])).toBe(-1)
  })
})
