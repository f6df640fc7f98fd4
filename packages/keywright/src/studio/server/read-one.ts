/* One command that reads, answered as bytes. */

import type { Command, Driver, Reply } from "../../driver/driver.ts"
import { SAFE_BYTES } from "../../driver/safe.ts"
import { KeywrightError } from "../../errors/error.ts"

/** Throws what the server refuses. */
export async function readOne(driver: Driver, command: Command): Promise<Reply> {
  const [reply] = await driver.batch([command], SAFE_BYTES)
  if (reply instanceof KeywrightError) throw reply
  return reply!
}
