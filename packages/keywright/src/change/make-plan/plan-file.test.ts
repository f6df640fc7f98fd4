/* What is carried out is saved with what its undo restores: a file that nobody can read again restores nothing. */

import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { redisForSuite } from "../../driver/redis-for-suite.cases.ts"
import { keyspace, string, text } from "../../index.ts"
import { audit } from "../../inspect/audit/audit.ts"
import { loadPlan, savePlan, savePlanWithin } from "./plan-file.ts"
import { planRepair } from "./plan-repair.ts"

const space = keyspace({ flag: string("flag:{name}", text) }, { ttl: "never" })

describe.runIf(needs("redis-server"))("the file of a plan", () => {
  const server = redisForSuite()
  const folder = mkdtempSync(join(tmpdir(), "keywright-plan-file-"))
  afterAll(() => rmSync(folder, { recursive: true }))

  it("is refused before anything is carried out, when it would be longer than what can be read", async () => {
    const { driver } = server
    await driver.batch([
      ["SET", "stray:1", "a"],
      ["SET", "stray:2", Buffer.from(Array.from({ length: 9000 }, (_, i) => (i * i * 7919) >> 3))],
    ])
    const { findings } = await audit(space, driver)
    const plan = await planRepair(findings, space, driver, { delete: ["unknown"] })
    const [whole, cut] = [join(folder, "whole.json"), join(folder, "cut.json")]
    savePlan(plan, whole)
    const { size } = statSync(whole)
    expect(() => savePlanWithin(plan, cut, size - 1)).toThrow(
      expect.objectContaining({ code: "CHANGE.PLAN_TOO_LARGE" }),
    )
    expect(existsSync(cut)).toBe(false)
    savePlanWithin(plan, cut, size)
    expect((await loadPlan(cut, space, driver)).actions).toHaveLength(2)
  })

  it("is refused as well when a part of it is longer than any text can be", async () => {
    const { driver } = server
    const findings = (await audit(space, driver)).findings
    const plan = await planRepair(findings, space, driver, { delete: ["unknown"] })
    const [action] = plan.actions
    // Six characters of JSON for each.
    const endless = { ...action!, undo: [["SET", "stray:1", "\u0001".repeat(100_000_000)]] }
    const path = join(folder, "endless.json")
    expect(() => savePlan({ ...plan, actions: [endless] }, path)).toThrow(
      expect.objectContaining({ code: "CHANGE.PLAN_TOO_LARGE" }),
    )
    expect(existsSync(path)).toBe(false)
  })
})
