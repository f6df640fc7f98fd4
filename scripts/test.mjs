/* npm test: brings the build up to date (the command line and the README's
 * programs run from it), then runs all value and type tests once.
 *
 *   npm test                       reduced counts: minutes
 *   npm test -- pattern            only files whose path contains "pattern"
 *   npm run test:full              KEYWRIGHT_FULL=1: the counts that are promised
 *   CI=true npm test               a missing program is a failure, not a skip. Files that failed are run
 *                                  once more, alone: on a shared machine a pause of seconds is no defect.
 *                                  The closing lines name what passed only then; what fails twice is a failure */

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { startVitest } from "vitest/node"
import { Count, missing, unstable } from "./closing-lines.mjs"
import { build, root, step } from "./step.mjs"

const args = process.argv.slice(2)
if (args.includes("--full")) process.env.KEYWRIGHT_FULL = "1"
const filters = args.filter((arg) => !arg.startsWith("--"))

process.chdir(root)
if (!(await step("build (tsc -b)", () => build()))) {
  console.log("0 passed, 1 failed, 0 skipped")
  process.exit(1)
}

const temporary = await mkdtemp(join(tmpdir(), "keywright-test-"))
const log = join(temporary, "missing.ndjson")
await writeFile(log, "")
process.env.KEYWRIGHT_MISSING = log
process.env.KEYWRIGHT_BUILT = "1"

const count = new Count()
const runTests = async (names) => {
  const vitest = await startVitest("test", names, { watch: false, reporters: ["default", count] })
  await vitest.close()
}
await runTests(filters)

/** More failures than this are nobody's bad luck. */
const SECOND_CHANCES = 5
const failed = count.failedFiles()
const again = process.env.CI && failed.length <= SECOND_CHANCES && !failed.includes("") ? failed : []
if (again.length > 0) {
  console.log(`\nonce more, alone: ${again.map((file) => relative(root, file)).join(" ")}\n`)
  process.exitCode = 0
  for (const file of again) await runTests([file])
}
const stillFailed = new Set(count.failedFiles())

console.log(missing(await readFile(log, "utf8")))
console.log(unstable(again.filter((file) => !stillFailed.has(file)).map((file) => relative(root, file))))
console.log(String(count))
await rm(temporary, { recursive: true, force: true })
process.exit(count.failed > 0 || count.passed + count.skipped === 0 ? 1 : (process.exitCode ?? 0))
