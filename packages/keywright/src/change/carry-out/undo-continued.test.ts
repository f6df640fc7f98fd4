/* An undo that is interrupted and continued, and one of several changes of one key. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { onAnyServer } from "../../client/servers.cases.ts"
import type { Command, Driver } from "../../driver/driver.ts"
import { bistro as typed, fillBistro, openBistro } from "../../inspect/audit/bistro.cases.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { applyRepair, undoRepair } from "./carry-out.ts"
import type { Action, ChangePlan } from "../plan/plan.ts"
import { planPurge } from "../make-plan/plan-purge.ts"
import type { Word } from "../plan/word.ts"

const bistro = typed as unknown as Keyspace
const folder = mkdtempSync(join(tmpdir(), "keywright-undo-continued-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

onAnyServer("an undo", (server) => {
  const send = (...command: Command) => server().driver.send(command)
  const purgeOfDishes = async () => {
    const db = await openBistro(server().target)
    await fillBistro(db, 6)
    await db.$close()
    return planPurge(bistro, server().driver, { only: ["dish"], undo: true })
  }
  const documents = async () => Promise.all([1, 2, 3, 4, 5, 6].map((id) => send("GET", `dish:${id}`)))
  /** A driver whose scripts run, or not, and whose answers are lost. */
  const deaf = (runs: boolean): Driver => {
    const { driver } = server()
    const run = async (...given: Parameters<Driver["run"]>) => {
      if (runs) await driver.run(...given)
      throw new Error("the answer is lost")
    }
    return new Proxy(driver, {
      get: (target, name) => {
        const found: unknown = name === "run" ? run : Reflect.get(target, name, target)
        return typeof found === "function" && name !== "run" ? found.bind(target) : found
      },
    })
  }

  it.each([true, false])(
    "of whole keys is continued after a crash, whether it came through or not: %s",
    async (runs) => {
      const plan = await purgeOfDishes()
      const before = await documents()
      const { outcomes } = await applyRepair(plan, server().driver)
      const done = outcomes.map((outcome) => outcome === "done")
      const options = { done, journal: join(mkdtempSync(join(folder, "run-")), "undo.journal") }
      await expect(undoRepair(plan, deaf(runs), options)).rejects.toMatchObject({ code: "CHANGE.INTERRUPTED" })
      for (let times = 0; times < 2; times++)
        expect(await undoRepair(plan, server().driver, options)).toMatchObject({ done: done.length, skipped: 0 })
      expect(await documents()).toEqual(before)
    },
  )

  it("takes back the last change of a key first", async () => {
    const plan = await purgeOfDishes()
    await send("HSET", "table", "seats", "1")
    const change = (from: string, to: string): Action => ({
      ...plan.actions[0]!,
      expects: [],
      commands: [["HSET", "table", "seats", to] as Word[]],
      undo: [["HSET", "table", "seats", from] as Word[]],
    })
    const changes: ChangePlan = { ...plan, actions: [change("1", "2"), change("2", "3"), change("3", "4")] }
    expect(await applyRepair(changes, server().driver)).toMatchObject({ done: 3 })
    expect(await send("HGET", "table", "seats")).toBe("4")
    expect(await undoRepair(changes, server().driver, { done: [true, true, true] })).toMatchObject({ done: 3 })
    expect(await send("HGET", "table", "seats")).toBe("1")
  })
})
