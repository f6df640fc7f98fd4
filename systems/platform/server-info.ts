/* What a server says about itself. */

import type { Driver } from "./driver.ts"
import { errorFields, type Log } from "./log.ts"

/** The fields of one section of INFO; one that there is not is empty. */
async function infoOf(driver: Driver, section: string): Promise<(name: string) => string> {
  const info = String(await driver.send(["INFO", section], { safe: true }))
  return (name) => new RegExp(`^${name}:(\\S*)`, "m").exec(info)?.[1] ?? ""
}

/** For systems whose only database is Redis (ALL-15): warns when neither AOF nor RDB is on. */
export async function warnIfVolatile(driver: Driver, system: string, log: Log): Promise<void> {
  try {
    const aof = (await infoOf(driver, "persistence"))("aof_enabled") === "1"
    const [, save] = (await driver.send(["CONFIG", "GET", "save"], { safe: true })) as string[]
    if (!aof && (save === undefined || save === ""))
      log.warn("this Redis loses its data on a restart: neither AOF nor RDB is on", { system })
  } catch (error) {
    log.warn("could not find out whether this Redis keeps its data", { system, ...errorFields(error) })
  }
}

/** What the whole server uses, and what it may. */
export async function serverMemory(driver: Driver) {
  const field = await infoOf(driver, "memory")
  return {
    usedBytes: Number(field("used_memory")),
    peakBytes: Number(field("used_memory_peak")),
    /** 0: as much as the machine has. */
    maxBytes: Number(field("maxmemory")),
    policy: field("maxmemory_policy"),
  }
}
