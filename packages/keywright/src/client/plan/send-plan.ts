/* Sends a plan as one script, and reads what became of it. */

import type { CallOptions, Reply } from "../../driver/driver.ts"
import type { KeywrightError } from "../../errors/error.ts"
import { halfWritten, operationReused, planTooLarge } from "../../errors/transaction.ts"
import type { Lane } from "../call/lane.ts"
import { listOf, textOf, unexpected } from "../call/reply.ts"
import type { Check } from "./checks/check.ts"
import { MOST_ARGUMENTS } from "./command-chunks.ts"
import { counterFault } from "./counter-fault.ts"
import { type EncodedPlan, encodePlan, type RememberedAs } from "./encode-plan.ts"
import { HIDDEN } from "../../schema/secret-params.ts"
import { requireOneTag } from "../call/slot-tag.ts"
import { changing, type OperationNotes } from "../call/notes.ts"
import { planMemoryKey, rememberedMs } from "./operation-key.ts"
import type { Replayed } from "./operation-memory.ts"
import type { Plan } from "./plan.ts"

/** What became of a plan. */
export interface Applied {
  /** The ids that were allocated, by placeholder. */
  readonly ids: ReadonlyMap<string, string>
  /** It had been carried out before, with the same operation id: what was kept then. */
  readonly replayed?: Replayed
}

/** A check did not hold: nothing was written. */
export interface NotHeld {
  readonly check: Check | undefined
  readonly found: Reply
  readonly error: KeywrightError
}

export type SendPlanOptions = CallOptions & OperationNotes

/** Sends it once. `chosen` are ids that in-cluster.ts has already put into it, by placeholder. */
export function sendPlan(
  plan: Plan,
  lane: Lane,
  options: SendPlanOptions | undefined,
  chosen: ReadonlyMap<string, string> = NO_IDS,
): Promise<Applied | NotHeld> {
  const { driver } = lane
  const operation = options?.operationId === undefined ? undefined : operationFor(plan, lane, options, chosen)
  const encoded = encodePlan(plan, driver.cluster, operation)
  const { script, keys, args } = encoded
  if (driver.cluster) requireOneTag("this operation", keys, (i) => lane.show?.(keys[i]!) ?? HIDDEN)
  if (keys.length + args.length > MOST_ARGUMENTS) throw planTooLarge(keys.length + args.length)
  // With an operation id, sending it again does no harm.
  const call = operation === undefined ? changing(options) : { ...callOf(options!), safe: true }
  const { ids } = plan
  const sent = lane
    .script(script, keys, args, call)
    .then((reply) =>
      reply === 1 && chosen.size === 0 && ids === undefined ? APPLIED : outcomeOf(plan, encoded, reply, chosen),
    )
  if (ids === undefined) return sent
  return sent.catch(async (error) => {
    throw await counterFault(error, driver, ids, call ?? {})
  })
}

const NO_IDS: ReadonlyMap<string, string> = new Map()
const APPLIED: Applied = Object.freeze({ ids: NO_IDS })

/** Reads the reply of a script: the header of apply.lua lists what it can be, under `result`. */
function outcomeOf(plan: Plan, { checks, keys }: EncodedPlan, reply: Reply, chosen: Applied["ids"]): Applied | NotHeld {
  if (reply === 1 && plan.ids === undefined) return { ids: chosen }
  const [status, ...found] = listOf(reply) as [number, ...Reply[]]
  if (status < 1) {
    const check = status === 0 ? checks[Number(found[0]) - 1] : undefined
    const error = check?.onFailure(found[1] ?? null) ?? refusalOf(plan, status, found[0]!, keys)
    if (error === undefined) throw misread(reply)
    return { check, found: found[1] ?? null, error }
  }
  const [answer, replicas] = status === 2 ? found.splice(0, 2).map(textOf) : []
  const placeholders = chosen.size > 0 ? [...chosen.keys()] : (plan.ids ?? []).flatMap((group) => group.placeholders)
  if ((status !== 1 && answer === undefined) || found.length < placeholders.length) throw misread(reply)
  const ids = new Map(placeholders.map((one, i) => [one, textOf(found[i])]))
  return answer === undefined ? { ids } : { ids, replayed: { answer, replicas: Number(replicas) } }
}

/** The error for a reply that is not about a check. */
function refusalOf(
  { writes }: Plan,
  status: number,
  found: Reply,
  keys: readonly string[],
): KeywrightError | undefined {
  if (status === -3) return operationReused()
  if (status === -4) return halfWritten(textOf(found))
  const key = keys[Number(found) - 1]
  if (status !== -1 || key === undefined) return undefined
  for (const write of writes)
    if (write.write === "move" && (write.enters.includes(key) || write.leaves.includes(key)))
      return write.owner.wrongType(key, "set", null)
  return undefined
}

const misread = (reply: Reply): Error => unexpected(reply, "what became of the plan")

function operationFor(plan: Plan, lane: Lane, options: SendPlanOptions, chosen: Applied["ids"]): RememberedAs {
  const { operationId } = options
  return {
    key: planMemoryKey(operationId, plan.purpose, plan.firstKey, lane.driver.cluster),
    ms: rememberedMs(lane, options),
    ids: [...chosen.values()],
  }
}

/** The options for the driver. */
const callOf = ({ operationId: _id, rememberFor: _for, ...call }: SendPlanOptions): CallOptions => call
