import { expect, it } from "vitest"
import { onAnyServer } from "../../client/servers.cases.ts"
import { audit } from "../../inspect/audit/audit.ts"
import { bistroClients } from "../../inspect/audit/bistro-clients.cases.ts"
import { bistro as typed, CANARY, fillBistro } from "../../inspect/audit/bistro.cases.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { applyRepair, undoRepair } from "../carry-out/carry-out.ts"
import { exportKeys } from "../copy/export-keys.ts"
import { planPurge } from "./plan-purge.ts"
import { throughFile } from "../check-plan/saved-plan.cases.ts"

const bistro = typed as unknown as Keyspace

onAnyServer("purge", (server) => {
  const open = bistroClients(server)

  it("deletes records with their index entries, and takes them back", async () => {
    const { driver } = server()
    await fillBistro(await open(), 30)
    const before = await exportKeys(bistro, driver, () => undefined, { secrets: true })
    const where = ({ record }: { record: unknown }) => Number((record as { price: number }).price) > 20
    const plan = await throughFile(
      await planPurge(bistro, driver, { only: ["dish"], where, undo: true }),
      bistro,
      driver,
    )
    expect(plan.actions.length).toBe(10)
    const report = await applyRepair(plan, driver)
    expect(report).toMatchObject({ done: 10, skipped: 0, refused: 0 })
    expect(await driver.send(["SCARD", "dish:list"])).toBe(20)
    expect((await audit(bistro, driver)).findings).toEqual([])
    const undone = await undoRepair(plan, driver, { done: plan.actions.map(() => true) })
    expect(undone).toMatchObject({ done: 10, refused: 0 })
    const after = await exportKeys(bistro, driver, () => undefined, { secrets: true })
    expect(after.patterns).toEqual(before.patterns)
  })

  it("goes by age, and by what no pattern owns", async () => {
    const { driver } = server()
    await fillBistro(await open(), 12)
    await driver.batch([
      ["SET", "lock:1:held", "1"],
      ["SET", Buffer.from([255, 1]), "1"],
    ])
    const unknown = await throughFile(await planPurge(bistro, driver, { unknown: true }), bistro, driver)
    expect(await applyRepair(unknown, driver)).toMatchObject({ done: 2 })
    const years = { field: "addedAt", ms: Date.now() - (1.7e12 + 5.5 * 86_400_000) }
    const old = await throughFile(await planPurge(bistro, driver, { only: ["dish"], older: years }), bistro, driver)
    expect(await applyRepair(old, driver)).toMatchObject({ done: 5 })
    expect((await audit(bistro, driver)).findings).toEqual([])
  })

  it("spares what has changed since the plan was made", async () => {
    const { driver } = server()
    const db = await open()
    await fillBistro(db, 12)
    const plan = await throughFile(await planPurge(bistro, driver, { only: ["user"] }), bistro, driver)
    expect(JSON.stringify(plan)).not.toContain(CANARY)
    await db.user.update("3", { name: "Ann" })
    expect(await applyRepair(plan, driver)).toMatchObject({ done: 11, skipped: 1 })
    expect(await driver.send(["EXISTS", "user:3"])).toBe(1)
  })

  it("does not delete everything, nor what is derived", async () => {
    const { driver } = server()
    await expect(planPurge(bistro, driver, {})).rejects.toMatchObject({ code: "PURGE.EVERYTHING" })
    await expect(planPurge(bistro, driver, { only: ["dish#all"] })).rejects.toMatchObject({ code: "PURGE.DERIVED" })
    await fillBistro(await open(), 12)
    const plan = await throughFile(await planPurge(bistro, driver, { match: "dish:*" }), bistro, driver)
    expect(plan.actions.length).toBe(12)
    expect(plan.left["PURGE.DERIVED"]).toBeGreaterThan(0)
  })
})
