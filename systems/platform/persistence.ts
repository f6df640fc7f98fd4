/* Whether a server keeps its data, and a backup on demand: for systems whose only
 * database is Redis (ALL-15). */

import type { Driver } from "./driver.ts"
import { unavailable } from "./http/problem.ts"
import { errorFields, type Log } from "./log.ts"

const EVERY_MS = 50
const PATIENCE_MS = 120_000

const infoOf = async (driver: Driver): Promise<string> =>
  String(await driver.send(["INFO", "persistence"], { safe: true }))
const field = (info: string, name: string): string | undefined => new RegExp(`^${name}:(\\S*)`, "m").exec(info)?.[1]

/** Says so when neither AOF nor RDB is on. */
export async function warnIfVolatile(driver: Driver, system: string, log: Log): Promise<void> {
  try {
    const aof = field(await infoOf(driver), "aof_enabled") === "1"
    const [, save] = (await driver.send(["CONFIG", "GET", "save"], { safe: true })) as string[]
    if (!aof && (save === undefined || save === ""))
      log.warn("this Redis keeps nothing over a restart: neither AOF nor RDB is on", { system })
  } catch (error) {
    log.warn("whether this Redis keeps its data could not be found out", { system, ...errorFields(error) })
  }
}

/** BGSAVE, and waits for it; a save that is under way counts. Unix seconds of the last good one. */
export async function backup(driver: Driver): Promise<{ lastSave: number }> {
  // It cannot fork, and nothing waits for it for long: its snapshot is saved at once.
  if (driver.kind === "embedded") await driver.send(["SAVE"], { timeoutMs: PATIENCE_MS })
  else await saveBehind(driver)
  return { lastSave: Number(await driver.send(["LASTSAVE"], { safe: true })) }
}

async function saveBehind(driver: Driver): Promise<void> {
  if (field(await infoOf(driver), "rdb_bgsave_in_progress") !== "1") await driver.send(["BGSAVE", "SCHEDULE"])
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    const info = await infoOf(driver)
    const isSaving = field(info, "rdb_bgsave_in_progress") === "1" || field(info, "aof_rewrite_scheduled") === "1"
    if (!isSaving) {
      if (field(info, "rdb_last_bgsave_status") === "ok") return
      throw unavailable("backup_failed", "the server could not save: its own log says why")
    }
    if (Date.now() > until) throw unavailable("backup_slow", "the server is still saving")
  }
}
