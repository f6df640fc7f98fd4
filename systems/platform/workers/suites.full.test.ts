/* The acceptance scenarios of each system, served by two workers. Some look into the process that
 * serves, or at the order of a single one: they are left out, by name. */

import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { needs } from "../../../test/needs.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))

describe.runIf(needs("redis-server"))("with two workers", () => {
  it.each(["shop", "messaging", "carto", "recommender", "restaurant"])("%s does what it does alone", (name) => {
    const file = `systems/${name}/${name}.test.ts`
    const args = ["vitest", "run", "--project", "unit", file, "-t", "on a real server"]
    const env = { ...process.env, KEYWRIGHT_TEST_WORKERS: "2", KEYWRIGHT_FULL: "0" }
    const { status, stdout, stderr } = spawnSync("npx", args, { cwd: root, env, encoding: "utf8" })
    expect(status, `${stdout}\n${stderr}`).toBe(0)
  })
})
