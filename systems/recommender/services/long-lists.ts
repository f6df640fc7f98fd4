/* Reads that take longer the more a user has. Anybody may ask for them, for any user, so long lists wait for each
 * other: a flood of requests for them delays only others who ask for long lists. */

import { fewWhileUp } from "../../platform/few-at-once.ts"
import type { RecommenderContext } from "../context.ts"

/** Does the work at once, or in turn where so many elements are many. */
export type InTurnIfMany = <T>(count: number, work: () => Promise<T>) => Promise<T>

const MANY = 2000
const FEW = 2

export function longLists({ redis }: Pick<RecommenderContext, "redis">): InTurnIfMany {
  const inTurn = fewWhileUp(redis, FEW)
  return (count, work) => (count > MANY ? inTurn("users", work) : work())
}
