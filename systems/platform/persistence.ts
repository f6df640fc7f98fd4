/* Whether a server keeps its data over a restart: for systems whose only database is
 * Redis (ALL-15). */

import type { Driver } from "./driver.ts"
import { errorFields, type Log } from "./log.ts"

const infoOf = async (driver: Driver): Promise<string> =>
  String(await driver.send(["INFO", "persistence"], { safe: true }))
const field = (info: string, name: string): string | undefined => new RegExp(`^${name}:(\\S*)`, "m").exec(info)?.[1]

/** Says so when neither AOF nor RDB is on. */
export async function warnIfVolatile(driver: Driver, system: string, log: Log): Promise<void> {
  try {
    const aof = field(await infoOf(driver), "aof_enabled") === "1"
    const [, save] = (await driver.send(["CONFIG", "GET", "save"], { safe: true })) as string[]
    if (!aof && (save === undefined || save === ""))
      log.warn("this Redis loses its data on a restart: neither AOF nor RDB is on", { system })
  } catch (error) {
    log.warn("could not find out whether this Redis keeps its data", { system, ...errorFields(error) })
  }
}
