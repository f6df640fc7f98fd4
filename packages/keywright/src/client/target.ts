/* Which server? Decided here and nowhere else, in this order: an address or client
 * that was handed over; REDIS_URL; the embedded engine, in memory. In production
 * the last one must be asked for ("memory:"), so that nobody loses orders because a
 * variable was missing. */

import type { Driver } from "../driver/driver.ts"
import { embeddedDriver, loadEmbedded, type EngineLike } from "../driver/embedded.ts"
import type { DriverOptions } from "../driver/find-driver.ts"
import { addressRequired } from "../errors/connect.ts"

/** `"redis://…"`, `"memory:"`, somebody's client, or an engine. */
export type Target = string | { readonly client: unknown } | { readonly engine: EngineLike }

export interface Opened {
  readonly driver: Driver
  readonly close: () => Promise<void>
}

type Find = (given: string | DriverOptions, options: DriverOptions) => Driver

export async function openTarget(target: Target | undefined, options: DriverOptions, find: Find): Promise<Opened> {
  const chosen = target ?? (process.env["REDIS_URL"] || undefined)
  if (chosen === undefined && process.env["NODE_ENV"] === "production") throw addressRequired()
  if (chosen === undefined || chosen === "memory:") return openEngine(options)
  if (typeof chosen === "object" && "engine" in chosen) {
    const driver = embeddedDriver(chosen.engine, options)
    return { driver, close: () => driver.close() }
  }
  const driver = find(chosen, options)
  return { driver, close: () => driver.close() }
}

async function openEngine(options: DriverOptions): Promise<Opened> {
  const { start } = await loadEmbedded()
  const engine = await start()
  const driver = embeddedDriver(engine, options)
  return {
    driver,
    close: async () => {
      await driver.close()
      await engine.stop()
    },
  }
}
