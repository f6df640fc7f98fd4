/* Reads that take longer the more a user has. Anybody may ask for them, for any user, so long lists wait for each
 * other, and those who ask take turns: a flood of requests keeps those waiting who send it. */

import { clientTurns } from "../../platform/client-turns.ts"
import { whileUp } from "../../platform/few-at-once.ts"
import type { RecommenderContext } from "../context.ts"

/** Does the work for a client at once; in turn where `count` elements are many. */
export type InTurnIfMany = <T>(client: string, count: number, work: () => Promise<T>) => Promise<T>

export const MANY = 2000
/** Long lists at once, for all clients together. */
const AT_ONCE = 2

export function longLists({ redis }: Pick<RecommenderContext, "redis">): InTurnIfMany {
  const inTurn = clientTurns({ parallel: AT_ONCE, what: "long lists" })
  return (client, count, work) => (count > MANY ? inTurn(client, whileUp(redis, work)) : work())
}
