/* Numbers that are arguments of commands. */

import { argumentRefused } from "../../errors/client.ts"

/** A position; negative ones count from the end. */
export function position(value: number): string {
  if (!Number.isSafeInteger(value)) throw argumentRefused("a position", "a whole number", value)
  return String(value)
}

/** How many. */
export function amount(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw argumentRefused("a count", "a whole number from 0 on", value)
  return String(value)
}

const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000

export function checkWait(waitMs: number): void {
  if (!(waitMs > 0 && waitMs <= LONGEST_WAIT_MS)) throw argumentRefused("waitMs", "above 0 and at most a day", waitMs)
}
