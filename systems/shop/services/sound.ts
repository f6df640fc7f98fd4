/* Numbers that their codec takes and the shop never writes: a quantity that is none, a
 * score without end. Like what does not decode, they are left out and reported (ALL-11). */

import { Undecodable } from "keywright"
import type { ShopContext } from "../context.ts"

export function soundOnly<E extends readonly [unknown, number]>(
  entries: readonly E[],
  isSound: (value: number) => boolean,
  pattern: string,
  { onUndecodable }: ShopContext["lenient"],
): E[] {
  return entries.filter(([, value]) => {
    if (isSound(value)) return true
    onUndecodable(new Undecodable("VALUE.UNDECODABLE", "a number that nobody means", { pattern, key: pattern }))
    return false
  })
}
