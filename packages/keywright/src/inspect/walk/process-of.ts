/* Which processes a walk asks. A cursor of SCAN is a place in the table of the process that gave it: after a restart, or
 * when a replica has taken over, the same cursor is another place, and what comes after it is not what is left. */

import type { Driver } from "../../driver/driver.ts"
import { sha1 } from "../../driver/reply-digest.ts"
import { SAFE } from "../../driver/safe.ts"

const RUN_ID = /^run_id:(\w+)/m

/** Equal while the same processes answer; empty where a server does not say. */
export async function processOf(driver: Driver): Promise<string> {
  const nodes = await driver.primaries()
  const replies = await Promise.all(nodes.map((node) => node.batch([["INFO", "server"]], SAFE)))
  const ids = replies.map(([info]) => (typeof info === "string" ? RUN_ID.exec(info)?.[1] : undefined))
  return ids.every((id) => id === undefined) ? "" : sha1(ids.toSorted().join()).slice(0, 16)
}
