/* Members with scores of several sorted sets, in the order in which one sorted set would
 * have them: by score, and where scores are equal, by the bytes of the member. */

import type { Reply } from "../../driver/driver.ts"
import { textOf } from "../call/reply.ts"

/** A member as the server sent it, and its score as a number. */
export interface RankedMember {
  readonly member: Reply
  readonly score: Reply
  readonly order: number
}

/** From a flat reply of ZRANGE WITHSCORES. */
export function rankedOf(flat: readonly Reply[]): RankedMember[] {
  const ranked: RankedMember[] = []
  for (let i = 0; i + 1 < flat.length; i += 2)
    ranked.push({ member: flat[i]!, score: flat[i + 1]!, order: scoreOf(textOf(flat[i + 1]!)) })
  return ranked
}

/** Redis spells the largest numbers in its own way. */
export const scoreOf = (text: string): number =>
  text === "inf" || text === "+inf" ? Infinity : text === "-inf" ? -Infinity : Number(text)

/** Negative when `one` comes before `other`. */
export function compareRanked(one: RankedMember, other: RankedMember): number {
  if (one.order !== other.order) return one.order < other.order ? -1 : 1
  return Buffer.compare(bytesOf(one.member), bytesOf(other.member))
}

const bytesOf = (member: Reply): Uint8Array => (member instanceof Uint8Array ? member : Buffer.from(textOf(member)))
