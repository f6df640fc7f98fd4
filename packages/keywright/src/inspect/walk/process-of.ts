/* Which processes a walk asks. A cursor of SCAN is a place in the table of the process that gave it: after a restart, or
 * when a replica has taken over, the same cursor is another place, and what comes after it is not what is left. */

import type { Driver } from "../../driver/driver.ts"
import { sha1 } from "../../driver/reply-digest.ts"
import { SAFE } from "../../driver/safe.ts"

const RUN_ID = /^run_id:(\w+)/m
const CONNECTION = /^id=\d+ addr=\S+/

/** Equal while the same processes answer; empty where a server does not say, and knows no connections either. */
export async function processOf(driver: Driver): Promise<string> {
  const nodes = await driver.primaries()
  const ids = await Promise.all(
    nodes.map(async (node) => {
      const [info] = await node.batch([["INFO", "server"]], SAFE)
      const runId = typeof info === "string" ? RUN_ID.exec(info)?.[1] : undefined
      return runId ?? connectionOf(node)
    }),
  )
  return ids.every((id) => id === undefined) ? "" : sha1(ids.toSorted().join()).slice(0, 16)
}

/** For a user who may not ask for the process: while the connection is the same, so is that. */
async function connectionOf(node: Driver): Promise<string | undefined> {
  const [info] = await node.batch([["CLIENT", "INFO"]], SAFE)
  return typeof info === "string" ? CONNECTION.exec(info)?.[0] : undefined
}
