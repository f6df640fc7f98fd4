/* Ids that sort by time: microseconds, then chance. Lower-case hexadecimal digits sort
 * alike in every collation. */

import { randomBytes } from "node:crypto"
import type { Clock } from "../../platform/clock.ts"

export const newId = (clock: Clock): string =>
  Math.round(clock.seconds() * 1_000_000)
    .toString(16)
    .padStart(14, "0") + randomBytes(6).toString("hex")
