/* Programs that some tests need and a machine may lack.
 *
 *   describe.runIf(needs("redis-server"))("on a real server", …)
 *
 * Without the program the tests are skipped, and `npm test` says so in its last
 * lines, with the way to get it. Under CI=true that is a failure instead: there,
 * nothing may be left untested in silence. */

import { accessSync, appendFileSync, constants, readdirSync } from "node:fs"
import { delimiter, join, relative } from "node:path"
import { expect } from "vitest"

export type Program = "redis-server" | "valkey-server" | "chromium" | "postgresql" | "script" | "java"

const programs: Record<Program, { names: readonly string[]; install: string }> = {
  "redis-server": { names: ["redis-server"], install: "apt-get install redis-server redis-tools" },
  /** From version 9 on: has databases in a cluster. */
  "valkey-server": {
    names: ["valkey-server"],
    install: 'export PATH="$(.ci/valkey):$PATH", which builds Valkey 9',
  },
  chromium: { names: ["chromium", "chromium-browser", "google-chrome"], install: "apt-get install chromium" },
  postgresql: { names: ["initdb"], install: "apt-get install postgresql" },
  /** Gives a program a terminal. */
  script: { names: ["script"], install: "apt-get install bsdutils" },
  java: { names: ["javac"], install: "apt-get install default-jdk-headless libjackson2-databind-java" },
}

/** Whether the program is there; if not, throws under CI=true and otherwise notes what is skipped. */
export function needs(program: Program): boolean {
  if (pathOf(program) !== undefined) return true
  const { install } = programs[program]
  if (process.env["CI"] === "true") throw new Error(`${program} is missing, and CI skips nothing: ${install}`)
  const log = process.env["KEYWRIGHT_MISSING"]
  const file = relative(process.cwd(), expect.getState().testPath ?? "")
  if (log !== undefined) appendFileSync(log, `${JSON.stringify({ program, install, file })}\n`)
  return false
}

/** Where the program is: for PostgreSQL its `initdb`, beside which `pg_ctl` and `postgres` are. */
export function pathOf(program: Program): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter)
  if (program === "postgresql") folders.push(...debianPostgres())
  const candidates = programs[program].names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return candidates.find(isExecutable)
}

/** Debian keeps PostgreSQL's programs out of PATH, in a folder per version. */
function debianPostgres(): string[] {
  const base = "/usr/lib/postgresql"
  try {
    return readdirSync(base).map((version) => join(base, version, "bin"))
  } catch {
    return []
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
