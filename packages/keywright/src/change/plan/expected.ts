/* From what was read to what must still be read when a change is carried out. */

import type { Command, Reply } from "../../driver/driver.ts"
import { sha1, spell, unorderedDigest } from "../../driver/reply-digest.ts"
import { asWire } from "../../inspect/walk/wire.ts"
import type { Expected } from "./plan.ts"

const SHORT = 64

/** What a read must still answer. What moves by itself is compared by its direction. */
export function expectedOf(command: Command, reply: Reply, hidden: boolean): Expected {
  const name = command[0] as string
  if (reply === null) return null
  if (name === "PTTL" || name === "PEXPIRETIME") return Number(reply) > 0 ? { above: 0 } : Number(reply)
  if (typeof reply === "number" || typeof reply === "bigint") return Number(reply)
  if (name === "ZSCORE") return { score: String(reply) }
  if (name === "HGETALL") return { pairs: unorderedDigest(reply as readonly Reply[], 2) }
  const isShort = typeof reply === "string" && reply.length <= SHORT
  if (isShort && !hidden) return reply as string
  const bytes = spell(reply)
  return { sha1: sha1(bytes), length: bytes.length }
}

/** Whether a condition holds for this reply, however it is spelled: exactly when `holds` in carry-out.lua says so. */
export function says(is: Expected, reply: Reply): boolean {
  if (is === null || reply === null) return is === reply
  if (typeof is === "number") return (typeof reply === "number" || typeof reply === "bigint") && Number(reply) === is
  if (typeof is === "string") return spell(reply).equals(Buffer.from(is))
  if ("score" in is) return scoreOf(String(asWire(reply))) === scoreOf(is.score)
  if ("sha1" in is) return sha1(spell(reply)) === is.sha1
  if ("pairs" in is) return Array.isArray(reply) && unorderedDigest(reply as readonly Reply[], 2) === is.pairs
  return Number(reply) > is.above
}

/** The number that a score is: a server writes infinity as inf. */
export const scoreOf = (score: string): number => Number(score.replace(/inf(?:inity)?$/i, "Infinity"))

/** A score as the server spells it: 5.0 and 5e0 are 5. */
export function plainScore(score: string): string {
  const number = scoreOf(score)
  return Number.isFinite(number) ? String(number) : number < 0 ? "-inf" : "inf"
}
