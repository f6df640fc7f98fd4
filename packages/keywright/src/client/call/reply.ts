/* What replies look like in TypeScript. A reply of any other shape is an error: the driver checks
 * the type of the whole reply, these functions check its contents. */

import type { Reply } from "../../driver/driver.ts"
import { kindOf } from "../../driver/reply-kind.ts"
import { replyUnexpected } from "../../errors/driver.ts"

export function isOne(reply: Reply): boolean {
  if (typeof reply === "number" || reply === null || typeof reply === "bigint") return reply === 1
  throw unexpected(reply, "a whole number")
}

/** The same, but null and other numbers are errors: for replies that decide on something that cannot be undone. */
export function isOneNotZero(reply: Reply): boolean {
  if (reply === 1 || reply === 0) return reply === 1
  throw unexpected(reply, "0 or 1")
}

/** Null is the placeholder reply of a write that is only collected. */
export const asNumber = (reply: Reply): number => (reply === null ? 0 : numberIn(reply))

/** The same, but null is an error. */
export function numberIn(reply: Reply | undefined): number {
  if (typeof reply === "number") return reply
  const text = textOf(reply)
  const number = NUMBER.test(text) ? Number(text) : NaN
  if (!Number.isFinite(number)) throw unexpected(reply, "a number")
  return number
}

/** As Redis writes them: `Number` also reads `""`, `" 1"` and `"0x1"`. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/

export const nothing = (): void => {}
export const numberOrNone = (reply: Reply): number | undefined => (reply === null ? undefined : numberIn(reply))

/** A reply that is a list; null, from a family that is not loaded, becomes an empty list. */
export function listOf(reply: Reply | undefined): readonly Reply[] {
  if (Array.isArray(reply)) return reply
  if (reply === null) return []
  throw unexpected(reply, "a list")
}

/** The same with an element for each of those that were asked for. */
export function listOfAll(asked: readonly unknown[], reply: Reply): readonly Reply[] {
  const list = listOf(reply)
  if (reply !== null && list.length !== asked.length) throw unexpected(reply, `a list of ${asked.length}`)
  return list
}

/** `["a", "1", "b", "2"]` → `[["a", "1"], ["b", "2"]]` */
export const inPairs = <T>(flat: readonly T[]): [T, T][] =>
  Array.from({ length: flat.length >> 1 }, (_, i) => [flat[2 * i]!, flat[2 * i + 1]!])

export function textOf(raw: Reply | undefined): string {
  if (typeof raw === "string") return raw
  if (raw instanceof Uint8Array) return Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString()
  if (typeof raw === "number" || typeof raw === "bigint") return String(raw)
  throw unexpected(raw, "text")
}

export const unexpected = (found: Reply | undefined, expected: string): Error =>
  replyUnexpected("a command", kindOf(found), expected)
