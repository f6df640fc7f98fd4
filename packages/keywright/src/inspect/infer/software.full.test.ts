/* The programs of test/software, installed and really run: what infer says of each, and what audit says by its
 * proposal after other traffic. Needs a registry of npm, and packages of Debian for those in Python. */

import { execFileSync } from "node:child_process"
import { rmSync } from "node:fs"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { programs } from "../../../../../test/software/programs.mjs"
import { install, run } from "../../../../../test/software/record.mjs"
import { needs } from "../../../../../test/needs.ts"
import { lived, programNames } from "./software.cases.ts"
import { redisForSuite } from "../../driver/redis-for-suite.cases.ts"

function hasDebian(): boolean {
  try {
    execFileSync("apt-cache", ["show", "python3-rq"], { stdio: "pipe" })
    return true
  } catch {
    return false // Another system, or one without lists of packages.
  }
}

describe.runIf(needs("redis-server")).each([
  ["node", true],
  ["python", hasDebian()],
] as const)("programs for %s at work", { timeout: 600_000 }, (kind, isThere) => {
  const server = redisForSuite()
  let folder: string
  beforeAll(() => {
    if (isThere) folder = install(kind)
  }, 600_000)
  beforeEach(() => server.driver?.send(["FLUSHALL"]))
  afterAll(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  it.runIf(isThere).each(programNames.filter((name) => programs[name]!.kind === kind))("%s", async (program) => {
    const { score, aftermath } = await lived([program], server.driver, (name, phase) =>
      run(name, folder, server.redis.url, phase),
    )
    expect.soft(score.f1, JSON.stringify(score, undefined, 1)).toBeGreaterThanOrEqual(0.7)
    expect.soft(aftermath.fixable).toEqual([])
    // Twice as many as of what was recorded: whether the four lists of kue are there depends on how quick its workers were.
    expect
      .soft(aftermath.others.length, aftermath.others.slice(0, 9).join("\n"))
      .toBeLessThanOrEqual(0.02 * aftermath.keys)
  })
})
