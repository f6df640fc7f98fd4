/* The embedded engine as a driver: the same connection as for a server, over the
 * engine's channel instead of a socket. */

import { embeddedMissing } from "../errors/driver.ts"
import type { Driver, Transport } from "./driver.ts"
import { type RespOptions, settingsOf } from "./resp/open-resp.ts"
import { RespDriver } from "./resp/resp-driver.ts"

/** What is needed of an engine; `@keywright/embedded` has one. */
export interface EngineLike {
  connect(): Transport | Promise<Transport>
}

/** A driver that speaks to an engine in this process. The engine stays open. */
export function embeddedDriver(engine: EngineLike, options: RespOptions = {}): Driver {
  return new RespDriver({
    kind: "embedded",
    labelOf: (db) => `memory:/${db} (embedded engine)`,
    dial: async () => engine.connect(),
    username: undefined,
    password: undefined,
    ...settingsOf(options),
  })
}

/** The package, loaded when it is first needed: a program that uses a server never loads it, nor needs it installed. */
export async function loadEmbedded(): Promise<typeof import("@keywright/embedded")> {
  try {
    return await import("@keywright/embedded")
  } catch (error) {
    if (isMissing(error)) throw embeddedMissing(error)
    throw error
  }
}

const isMissing = (error: unknown) =>
  error instanceof Error && "code" in error && String(error.code).endsWith("MODULE_NOT_FOUND")
