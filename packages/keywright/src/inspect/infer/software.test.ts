/* infer on what other people's programs wrote, recorded by test/software/record.mjs: the patterns are those that their
 * authors had in mind, and after traffic of another kind nothing that is right is a finding. */

import { beforeEach, describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { lived, programNames, recordedCommands, type Score } from "./software.cases.ts"
import { redisForSuite } from "../../driver/redis-for-suite.cases.ts"

describe.runIf(needs("redis-server"))("what other programs wrote", { timeout: 120_000 }, () => {
  const server = redisForSuite()
  const scores = new Map<string, Score>()
  beforeEach(() => server.driver.send(["FLUSHALL"]))
  const write = (program: string, phase: "first" | "later") => server.driver.batch(recordedCommands(program, phase))

  it.each(programNames)("%s", async (program) => {
    const { score, aftermath } = await lived([program], server.driver, write)
    scores.set(program, score)
    expect.soft(score.f1, JSON.stringify(score, undefined, 1)).toBeGreaterThanOrEqual(0.7)
    expect.soft(aftermath.fixable).toEqual([])
    expect
      .soft(aftermath.others.length, aftermath.others.slice(0, 9).join("\n"))
      .toBeLessThanOrEqual(0.01 * aftermath.keys)
  })

  it("finds nine of ten patterns in the mean", () => {
    const all = [...scores.values()].map(({ f1 }) => f1)
    const shown = [...scores].map(([program, { f1 }]) => `${program} ${f1.toFixed(2)}`)
    process.stdout.write(`F1 of patterns: ${shown.join(", ")}\n`)
    expect(all.reduce((sum, f1) => sum + f1, 0) / all.length).toBeGreaterThanOrEqual(0.9)
  })

  it("tells programs apart that share a server", async () => {
    // Bull and BullMQ have the same keys.
    const mixed = programNames.filter((program) => program !== "bull")
    const { score, aftermath } = await lived(mixed, server.driver, write)
    expect.soft(score.f1, JSON.stringify(score, undefined, 1)).toBeGreaterThanOrEqual(0.85)
    expect.soft(aftermath.fixable).toEqual([])
    expect
      .soft(aftermath.others.length, aftermath.others.slice(0, 9).join("\n"))
      .toBeLessThanOrEqual(0.01 * aftermath.keys)
  })
})
