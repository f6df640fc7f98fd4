/* What replies look like in TypeScript. A reply of any other shape is an error: the driver checks
 * the type of the whole reply, these functions check its contents. */

import type { Reply } from "../../driver/driver.ts"
import { kindOf } from "../../driver/reply-kind.ts"
import { replyUnexpected } from "../../errors/driver.ts"

export function isOne(reply: Reply): boolean {
  if (typeof reply === "number" || reply === null || typeof reply === "bigint") return reply === 1
  throw unexpected(reply, "a whole number")
}

/** Null is the placeholder reply of a write that is only collected. */
export function asNumber(reply: Reply): number {
  if (typeof reply === "number") return reply
  const number = reply === null ? 0 : Number(textOf(reply))
  if (Number.isNaN(number)) throw unexpected(reply, "a number")
  return number
}

export const nothing = (): void => {}
export const numberOrNone = (reply: Reply): number | undefined => (reply === null ? undefined : asNumber(reply))

/** A reply that is a list; null, from a family that is not loaded, becomes an empty list. */
export function listOf(reply: Reply | undefined): readonly Reply[] {
  if (Array.isArray(reply)) return reply
  if (reply === null) return []
  throw unexpected(reply, "a list")
}

export function textOf(raw: Reply | undefined): string {
  if (typeof raw === "string") return raw
  if (raw instanceof Uint8Array) return Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString()
  if (typeof raw === "number" || typeof raw === "bigint") return String(raw)
  throw unexpected(raw, "text")
}

export const unexpected = (found: Reply | undefined, expected: string): Error =>
  replyUnexpected("a command", kindOf(found), expected)
