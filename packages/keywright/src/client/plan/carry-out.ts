/* Carries out a plan: on a single server as it is, in a cluster with every key named first.
 * What sending one means is in send-plan.ts. */

import type { Lane } from "../call/lane.ts"
import { carryOutInCluster, needsNamedKeys } from "./in-cluster.ts"
import type { Plan } from "./plan.ts"
import { type Applied, type SendPlanOptions, type NotHeld, sendPlan } from "./send-plan.ts"

/** All of it or nothing, if its checks hold. Throws the error of the check that failed. */
export function carryOut(plan: Plan, lane: Lane, options?: SendPlanOptions): Promise<Applied> {
  lane.explain?.(plan) // for $explain and onSent; the lane of $explain then sends nothing
  if (lane.driver.cluster && needsNamedKeys(plan)) return carryOutInCluster(plan, lane, options)
  return sendPlan(plan, lane, options).then(orThrow)
}

function orThrow(outcome: Applied | NotHeld): Applied {
  if ("error" in outcome) throw outcome.error
  return outcome
}
