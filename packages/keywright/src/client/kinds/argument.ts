/* Numbers that are arguments of commands. */

import { argumentRefused } from "../../errors/client.ts"

/** What a command takes as a number: no text that only becomes one, such as " 5". */
export const isFiniteNumber = (value: unknown): value is number | bigint =>
  (typeof value === "number" || typeof value === "bigint") && Number.isFinite(Number(value))

/** A position in bits or bytes; negative ones count from the end. */
export function wholeNumber(value: number): string {
  if (!Number.isSafeInteger(value)) throw argumentRefused("a position", "a whole number", value)
  return String(value)
}

/** No key has more elements; the embedded engine refuses larger numbers, in the middle of a script. */
const MOST_ELEMENTS = 2 ** 31 - 1

/** A position among elements; negative ones count from the end. */
export function position(value: number): string {
  if (Math.abs(value) <= MOST_ELEMENTS) return wholeNumber(value)
  return wholeNumber(value).startsWith("-") ? String(-MOST_ELEMENTS) : String(MOST_ELEMENTS)
}

/** How many. */
export function amount(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw argumentRefused("a count", "a whole number from 0 on", value)
  return String(value)
}

export const elementCount = (value: number): string =>
  value > MOST_ELEMENTS && Number.isSafeInteger(value) ? String(MOST_ELEMENTS) : amount(value)

const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000

export function checkWait(waitMs: number): void {
  if (!(waitMs > 0 && waitMs <= LONGEST_WAIT_MS)) throw argumentRefused("waitMs", "above 0 and at most a day", waitMs)
}
