/* What takes the longer the more a user has. Anybody may ask for it, of anybody, so long lists wait for each other,
 * whosever they are: those who ask for them many times at once keep nobody waiting but others who ask for long lists. */

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
