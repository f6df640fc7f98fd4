/* A script whose call ends only when replicas have what it wrote. WAIT counts what its own
 * connection wrote, so both use a connection that nobody shares. */

import type { CallOptions, Reply, Script, Wire } from "../../driver/driver.ts"
import { evalCommand } from "../../driver/script.ts"
import { notReplicated } from "../../errors/record.ts"
import type { Durability } from "../../schema/entity.ts"
import { Deadline } from "./deadline.ts"
import type { Lane } from "./lane.ts"

/** How many replicas a durability asks for. */
export const replicasOf = (durability: Durability | undefined): number =>
  durability === undefined || durability === "fast" ? 0 : durability.replicas

/** `what` is for the error. A lane that cannot wait, such as that of a transaction, carries the script out as it is. */
export async function writeAndWait(
  what: string,
  replicas: number,
  lane: Lane,
  script: Script,
  keys: readonly string[],
  args: readonly Wire[],
  options: CallOptions,
): Promise<Reply> {
  if (replicas === 0 || lane.ownConnections === undefined) return lane.script(script, keys, args, options)
  const deadline = new Deadline(lane.driver, options)
  const write = evalCommand(script, keys, args)
  const { reply, confirmed, refusal } = await lane.ownConnections.writeAndWait(write, replicas, deadline, options)
  if (confirmed < replicas) throw notReplicated(what, replicas, confirmed, refusal)
  return reply
}
