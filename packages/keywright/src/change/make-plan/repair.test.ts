import { expect, it } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import { onAnyServer } from "../../client/servers.cases.ts"
import { audit } from "../../inspect/audit/audit.ts"
import { bistroClients } from "../../inspect/audit/bistro-clients.cases.ts"
import { bistro as typed, CANARY, damageBistro, fillBistro, writeBistro } from "../../inspect/audit/bistro.cases.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { applyRepair, undoRepair } from "../carry-out/carry-out.ts"
import { type Deletion, deletions } from "./deletions.ts"
import { planRepair } from "./plan-repair.ts"
import { throughFile } from "../check-plan/saved-plan.cases.ts"
import { showCommand } from "../plan/show-words.ts"

const bistro = typed as unknown as Keyspace
const seeds = Array.from({ length: isFull ? 10 : 2 }, (_, i) => i + 1)
const all = Object.keys(deletions) as Deletion[]

onAnyServer("repair", (server) => {
  const open = bistroClients(server)
  const repair = async (wanted: readonly Deletion[] = []) => {
    const { driver } = server()
    const { findings } = await audit(bistro, driver)
    const plan = await throughFile(await planRepair(findings, bistro, driver, { delete: wanted }), bistro, driver)
    return { findings, plan, report: await applyRepair(plan, driver) }
  }

  it("has nothing to do where nothing is wrong", async () => {
    await fillBistro(await open(), 12)
    const { plan, report } = await repair()
    expect(plan.actions).toEqual([])
    expect(report).toMatchObject({ actions: 0, done: 0, skipped: 0 })
  })

  it.each(seeds)("sets all damage right while writers run, seed %i", async (seed) => {
    const db = await open()
    await fillBistro(db, isFull ? 2000 : 220)
    await damageBistro((...command) => server().driver.send(command), seed)
    let over = false
    const writers = [1000, 2_000_000].map((from) => writeBistro(db, () => over, from))
    const first = await repair(all)
    expect(first.report.refused, first.report.refusal).toBe(0)
    // What was deleted leaves index entries, which the next look finds.
    for (let round = 0; round < 4; round++) await repair(all)
    over = true
    await Promise.all(writers)
    const { findings } = await audit(bistro, server().driver)
    expect(findings).toEqual([])
    const printed = JSON.stringify(first.plan) + JSON.stringify(first.report)
    expect(printed).not.toContain(CANARY)
    for (const action of first.plan.actions)
      for (const command of action.commands) expect(showCommand(action, command)).not.toContain(CANARY)
  })

  it("deletes nothing that is not derived, unless it is allowed to", async () => {
    const db = await open()
    await fillBistro(db, 220)
    await damageBistro((...command) => server().driver.send(command), 1)
    const before = new Set(await server().keys())
    const { report, plan } = await repair()
    expect(report.done).toBeGreaterThan(15)
    const after = new Set(await server().keys())
    const gone = [...before].filter((key) => !after.has(key))
    expect(gone.filter((key) => !/:index:|:device:|session:user|^gauge:room|:cart$|dish:sale/.test(key))).toEqual([])
    expect(plan.left).toMatchObject({ "KEY.UNKNOWN": 2, "UNIQUE.TAKEN": 1, "REFERENCE.MISSING": 1 })
  })

  it("takes everything back", async () => {
    const db = await open()
    await fillBistro(db, 220)
    await damageBistro((...command) => server().driver.send(command), 2)
    const { driver } = server()
    const before = await audit(bistro, driver)
    const plan = await planRepair(before.findings, bistro, driver, { delete: all })
    const report = await applyRepair(plan, driver)
    const done = report.outcomes.map((outcome) => outcome === "done")
    const undone = await undoRepair(plan, driver, { done })
    expect(undone.refused, undone.refusal).toBe(0)
    const { summary } = await audit(bistro, driver)
    // A counter stays raised.
    const { "COUNTER.BEHIND": _, "COUNTER.NOT_A_NUMBER": __, ...rest } = before.summary
    expect(summary).toEqual(rest)
  })

  it("does nothing where what a plan rests on has changed", async () => {
    const db = await open()
    await fillBistro(db, 12)
    const { driver } = server()
    await driver.send(["SADD", "dish:index:category:3", "d99"])
    await driver.send(["SREM", "dish:index:category:2", "1"])
    const { findings } = await audit(bistro, driver)
    const plan = await planRepair(findings, bistro, driver)
    await db.dish.create({
      id: "d99",
      name: "n",
      categoryId: "3",
      price: 1,
      available: true,
      addedAt: "2026-01-01T00:00:00Z",
    })
    await db.dish.update("1", { categoryId: "5" })
    const report = await applyRepair(plan, driver)
    expect(report).toMatchObject({ done: 0, skipped: 2 })
    expect((await audit(bistro, driver)).findings).toEqual([])
  })

  it("removes together what rests on the same records, except for those that have changed since", async () => {
    const db = await open()
    await fillBistro(db, 12)
    const { driver } = server()
    const wrong = ["20", "21", "22", "23"]
    for (const category of wrong) {
      await driver.send(["SADD", `dish:index:category:${category}`, ...["1", "2", "3", "4", "5"], "gone1", "gone2"])
    }
    const { findings } = await audit(bistro, driver)
    const plan = await planRepair(findings, bistro, driver)
    await db.dish.update("3", { name: "another" })
    await driver.send(["SREM", "dish:index:category:21", "4", "gone1"])
    const report = await applyRepair(plan, driver)
    const outcomeOf = (category: string, id: string) =>
      report.outcomes[
        plan.actions.findIndex(({ commands }) => {
          const [, key, member] = commands[0]!
          return key === `dish:index:category:${category}` && member === id
        })
      ]
    expect(wrong.map((category) => outcomeOf(category, "3"))).toEqual(wrong.map(() => "skipped"))
    expect(outcomeOf("21", "4")).toBe("already")
    expect(outcomeOf("21", "gone1")).toBe("already")
    expect(report).toMatchObject({ done: plan.actions.length - 6, already: 2, skipped: 4, refused: 0 })
    expect(await driver.send(["SMEMBERS", "dish:index:category:22"])).toEqual(["3"])
    const done = report.outcomes.map((outcome) => outcome === "done")
    await undoRepair(plan, driver, { done })
    const left = (await driver.send(["SMEMBERS", "dish:index:category:21"])) as string[]
    expect(left.sort()).toEqual(["1", "2", "3", "5", "gone2"])
  })

  it("removes what is in the place of a list, an index or a counter, and rebuilds it", async () => {
    await fillBistro(await open(), 12)
    const { driver } = server()
    const keys = ["dish:list", "dish:index:category:1", "dish:counter"]
    const before = await Promise.all(["SCARD", "SCARD", "GET"].map((name, i) => driver.send([name, keys[i]!])))
    await driver.send(["DEL", ...keys])
    for (const key of keys) await driver.send(["RPUSH", key, "oops"])
    const first = await repair()
    expect(first.report).toMatchObject({ done: 3, byCode: { "KEY.TYPE": 3 } })
    await repair()
    expect((await audit(bistro, driver)).findings).toEqual([])
    expect(await Promise.all(["SCARD", "SCARD", "GET"].map((name, i) => driver.send([name, keys[i]!])))).toEqual(before)
  })

  it("never lowers a counter", async () => {
    const db = await open()
    await fillBistro(db, 12)
    const { driver } = server()
    await driver.send(["SET", "dish:counter", "3"])
    const { findings } = await audit(bistro, driver)
    const plan = await planRepair(findings, bistro, driver)
    await driver.send(["SET", "dish:counter", "50"])
    await applyRepair(plan, driver)
    expect(await driver.send(["GET", "dish:counter"])).toBe("50")
  })
})
