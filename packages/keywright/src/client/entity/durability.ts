/* Commits a plan and, where an entity asks for it, waits until replicas have it: WAIT
 * counts what its own connection wrote, so both use a connection that no other call shares. */

import type { CallOptions } from "../../driver/driver.ts"
import { evalCommand } from "../../driver/script.ts"
import type { KeywrightError } from "../../errors/error.ts"
import { OutcomeUnknown } from "../../errors/outcome.ts"
import { notReplicated } from "../../errors/record.ts"
import { Deadline } from "../call/deadline.ts"
import type { Lane } from "../call/lane.ts"
import type { OperationNotes } from "../call/notes.ts"
import { carryOut } from "../plan/carry-out.ts"
import { Plan } from "../plan/plan.ts"
import type { Replayed } from "../plan/operation-memory.ts"
import type { Applied } from "../plan/send-plan.ts"
import { sleep } from "../call/sleep.ts"
import { spread } from "../call/spread.ts"
import { isUnavailable } from "../call/unavailable.ts"
import type { OwnConnections } from "../call/own-connections.ts"

/** The pause before it is sent again. */
const AGAIN_MS = 20

type CommitOptions = CallOptions & OperationNotes

/** `what` is for the error: an entity, or a transaction. */
export function commitPlan(what: string, lane: Lane, plan: Plan, options?: CommitOptions): Promise<Applied> {
  const { ownConnections } = lane
  if (plan.replicas > 0 && ownConnections) return commitAndWait(what, lane, ownConnections, plan, options)
  return options?.operationId === undefined ? carryOut(plan, lane, options) : commitOnce(what, lane, plan, options)
}

/** With an operation id: a plan carried out earlier is complete once its replicas have it. */
async function commitOnce(what: string, lane: Lane, plan: Plan, options: CommitOptions): Promise<Applied> {
  const deadline = new Deadline(lane.driver, options)
  for (;;) {
    const applied = await carryOut(plan, lane, spread(options, deadline.notes()))
    const { replayed } = applied
    if (replayed === undefined || (await confirmDone(what, lane, plan, replayed, spread(options, deadline.notes()))))
      return applied
    // It was lost with the primary that remembered it.
    if (deadline.isOver) throw notReplicated(what, replayed.replicas, 0)
  }
}

/**
 * A plan carried out earlier is complete once the required number of replicas have it, so a repetition waits for
 * them too. Returns false when it is no longer remembered, because a server without it has taken over.
 */
export async function confirmDone(
  what: string,
  lane: Lane,
  done: Pick<Plan, "purpose" | "identity" | "firstKey">,
  { replicas }: Replayed,
  options: CommitOptions | undefined,
): Promise<boolean> {
  if (replicas === 0 || !lane.ownConnections) return true
  const { purpose, identity, firstKey: slotKey } = done
  const plan = Object.assign(new Plan(), { purpose, identity, slotKey, replicas, remembers: false })
  return (await commitAndWait(what, lane, lane.ownConnections, plan, options)).replayed !== undefined
}

async function commitAndWait(
  what: string,
  lane: Lane,
  ownConnections: OwnConnections,
  plan: Plan,
  options: CommitOptions = {},
): Promise<Applied> {
  const deadline = new Deadline(lane.driver, options)
  let confirmed = 0
  let refusal: KeywrightError | undefined
  const together: Lane = {
    driver: lane.driver,
    rememberMs: lane.rememberMs,
    show: lane.show,
    send: (command, how) => lane.send(command, how),
    atomic: (commands, how) => lane.atomic(commands, how),
    async script(script, keys, args, how) {
      // Both share the deadline of the call.
      const once = async () => {
        const done = await ownConnections.writeAndWait(evalCommand(script, keys, args), plan.replicas, deadline, how)
        ;({ confirmed, refusal } = done)
        return done.reply
      }
      return how?.safe === true ? whileConnectionsBreak(once, deadline) : once()
    },
  }
  const applied = await carryOut(plan, together, options)
  if (confirmed < plan.replicas) throw notReplicated(what, plan.replicas, confirmed, refusal)
  return applied
}

/**
 * Sends it again, as a whole, when the connection was lost. Once it may have been carried out, a later refusal does not
 * prove that it was not.
 */
async function whileConnectionsBreak<T>(send: () => Promise<T>, deadline: Deadline): Promise<T> {
  let unknown: OutcomeUnknown | undefined
  for (;;) {
    try {
      return await send()
    } catch (error) {
      if (error instanceof OutcomeUnknown) unknown = error
      if (!isUnavailable(error) || deadline.isOver) throw unknown ?? error
      await sleep(Math.min(AGAIN_MS, Math.max(0, deadline.leftMs)))
    }
  }
}
