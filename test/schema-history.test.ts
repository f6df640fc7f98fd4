/* The schemas of the five systems as they were committed, and edited at random: compared without
 * a crash, each in less than a second of work. */

import { execFileSync } from "node:child_process"
import { describe, expect, test } from "vitest"
import { toJson, type Keyspace } from "keywright"
import { diffSchemas } from "../packages/keywright/src/change/diff/diff.ts"
import { edits } from "../packages/keywright/src/change/diff/random-edits.cases.ts"
import { loadConfig } from "../packages/keywright/src/cli/load-config.ts"
import { Output } from "../packages/keywright/src/cli/output.ts"
import { schemaChangelog } from "../packages/keywright/src/cli/schema-changelog.ts"
import { isFull } from "./full.ts"

const systems = ["shop", "messaging", "carto", "recommender", "restaurant"]
const callOf = (system: string) => ({
  command: "docs",
  args: [],
  options: { config: `systems/${system}` },
  out: new Output({ json: false, color: false }),
})
/** False in a shallow clone, and where the sources came without their history. */
const hasHistory = (() => {
  try {
    return execFileSync("git", ["rev-parse", "--is-shallow-repository"], { encoding: "utf8" }).trim() === "false"
  } catch {
    return false
  }
})()

describe.each(systems)("the schema of %s", (system) => {
  test("edited at random", { timeout: 600_000 }, async () => {
    const { keyspace } = await loadConfig(callOf(system))
    const form = toJson(keyspace as Keyspace)
    expect(diffSchemas(form, form).changes).toEqual([])
    for (const { edited, seed } of edits(form, isFull ? 100 : 4)) {
      const before = process.cpuUsage()
      const [there, back] = [diffSchemas(form, edited), diffSchemas(edited, form)]
      const { user, system: kernel } = process.cpuUsage(before)
      expect(back.changes.length > 0, `seed ${seed}`).toBe(there.changes.length > 0)
      // Two comparisons.
      expect((user + kernel) / 1e6, `seed ${seed}`).toBeLessThan(2)
    }
  })

  if (isFull)
    test.runIf(hasHistory)("in its history, which needs a whole clone", { timeout: 600_000 }, async () => {
      const chapters = await schemaChangelog(callOf(system))
      expect(chapters.length).toBeGreaterThan(0)
      for (const { problem = "" } of chapters) expect(problem).not.toContain("bug in Keywright")
    })
})
