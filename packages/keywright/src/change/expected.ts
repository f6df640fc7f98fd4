/* From what was read to what must still be read when a change is carried out. */

import type { Command, Reply } from "../driver/driver.ts"
import { sha1, spell, unorderedDigest } from "../driver/reply-digest.ts"
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

/** Whether a condition is that a read answers this, in words or by its digest. */
export const says = (is: Expected, command: Command, reply: Reply): boolean =>
  [true, false].some((hidden) => JSON.stringify(expectedOf(command, reply, hidden)) === JSON.stringify(is))
