/* npm run serve -- <system>[,<system>…] [options]
 *
 * Prints one line on standard output, `ready http://127.0.0.1:<port>`, once it answers;
 * the log goes to standard error. Ends with 0 on SIGTERM or SIGINT, 2 when it was not
 * understood or is refused, 1 when something failed. */

import { KeywrightError } from "keywright"
import cluster from "node:cluster"
import { catalog, known } from "./catalog.ts"
import { ForeignKeys } from "./platform/isolation.ts"
import { errorFields, openLog } from "./platform/log.ts"
import { readOptions, usage } from "./platform/options.ts"
import { startServer } from "./platform/server.ts"
import { workersPlan } from "./platform/workers/handover.ts"
import { startPrimary } from "./platform/workers/primary.ts"
import { UsageError } from "./platform/usage-error.ts"

const log = openLog()
const isRefusal = (error: unknown) =>
  error instanceof UsageError ||
  error instanceof ForeignKeys ||
  (error instanceof KeywrightError && error.code === "DRIVER.ADDRESS")

function fail(error: unknown): never {
  if (isRefusal(error) || error instanceof KeywrightError) process.stderr.write(`${(error as Error).message}\n`)
  else log.error("start failed", errorFields(error, true))
  log.flush()
  process.exit(isRefusal(error) ? 2 : 1)
}

if (process.argv.includes("--help")) {
  process.stdout.write(`${usage(Object.keys(catalog))}\n`)
  process.exit(0)
}

try {
  const plan = await readOptions(process.argv.slice(2), catalog)
  const server =
    plan.workers > 1 && cluster.isPrimary
      ? await startPrimary(plan, log, (code) => process.exit(code))
      : await startServer({ ...workersPlan(plan), known, log, onForeign: fail })
  let isEnding = false
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (isEnding) return
      isEnding = true
      log.info("stopping", { signal })
      server.close().then(() => process.exit(0), fail)
    })
  }
  if (cluster.isPrimary) process.stdout.write(`ready ${server.url}\n`)
  else {
    process.send!({ ready: server.url })
    // Without the primary nobody shares the port, or would end it.
    process.on("disconnect", () => process.kill(process.pid, "SIGTERM"))
  }
} catch (error) {
  fail(error)
}
