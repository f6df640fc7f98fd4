/* Carries out a plan. */

import type { Lane } from "../call/lane.ts"
import { carryOutInCluster, needsNamedKeys } from "./in-cluster.ts"
import type { Plan } from "./plan.ts"
import { type Applied, type CarryOutOptions, sendPlan } from "./send-plan.ts"

/** All of it or nothing, if its checks hold. Throws what the failed check stands for. */
export async function carryOut(plan: Plan, lane: Lane, options?: CarryOutOptions): Promise<Applied> {
  lane.explain?.(plan)
  if (lane.driver.cluster && needsNamedKeys(plan)) return carryOutInCluster(plan, lane, options)
  const outcome = await sendPlan(plan, lane, options)
  if ("error" in outcome) throw outcome.error
  return outcome
}
