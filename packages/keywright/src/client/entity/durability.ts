/* Committing a plan, and where an entity asks for it, waiting until replicas have it:
 * WAIT counts what its own connection wrote, so both go over one that nobody shares. */

import type { CallOptions } from "../../driver/driver.ts"
import { evalCommand } from "../../driver/script.ts"
import { notReplicated } from "../../errors/record.ts"
import type { Lane } from "../lane.ts"
import type { Applied, Plan } from "../plan.ts"
import type { Waiting } from "../waiting.ts"

const WAIT_MS = 1000

type CommitOptions = CallOptions & { readonly operationId?: string | undefined }

/** `what` is for the error: an entity, or a transaction. */
export function commitPlan(what: string, lane: Lane, plan: Plan, options?: CommitOptions): Promise<Applied> {
  const { waiting } = lane
  if (plan.replicas === 0 || !waiting) return plan.carryOut(lane, options)
  return commitAndWait(what, lane, waiting, plan, options)
}

async function commitAndWait(
  what: string,
  lane: Lane,
  waiting: Waiting,
  plan: Plan,
  options: CommitOptions = {},
): Promise<Applied> {
  const waitMs = options.timeoutMs === undefined ? WAIT_MS : Math.max(1, Math.floor(options.timeoutMs / 2))
  let confirmed = 0
  const together: Lane = {
    driver: lane.driver,
    send: (command, how) => lane.send(command, how),
    atomic: (commands, how) => lane.atomic(commands, how),
    async script(script, keys, args, how) {
      const wait = ["WAIT", String(plan.replicas), String(waitMs)]
      const [reply, count] = await waiting.send([evalCommand(script, keys, args), wait], waitMs, how)
      confirmed = Number(count)
      return reply!
    },
  }
  const applied = await plan.carryOut(together, options)
  if (confirmed < plan.replicas) throw notReplicated(what, plan.replicas, confirmed)
  return applied
}
