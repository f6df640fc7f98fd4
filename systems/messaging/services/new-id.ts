/* Ids that sort by time: microseconds, which a clock never returns twice, then a part
 * that identifies this clock. Lower-case hexadecimal digits sort the same way in every
 * collation. */

import { randomBytes } from "node:crypto"
import type { Clock } from "../../platform/clock.ts"

const owns = new WeakMap<Clock, string>()

export function newId(clock: Clock): string {
  let own = owns.get(clock)
  if (own === undefined) owns.set(clock, (own = randomBytes(6).toString("hex")))
  const micros = Math.round(clock.seconds() * 1_000_000)
  return micros.toString(16).padStart(14, "0") + own
}
