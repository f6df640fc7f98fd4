/* From what was read to what must still be read when a change is carried out. The
 * script beside this file computes the same digests. */

import { createHash } from "node:crypto"
import type { Command, Reply } from "../driver/driver.ts"
import type { Expected } from "./plan.ts"

const SHORT = 64

/** What a read must still answer. What moves by itself is compared by its direction. */
export function expectedOf(command: Command, reply: Reply, hidden: boolean): Expected {
  const name = command[0] as string
  if (reply === null) return null
  if (name === "PTTL" || name === "PEXPIRETIME") return Number(reply) > 0 ? { above: 0 } : Number(reply)
  if (typeof reply === "number" || typeof reply === "bigint") return Number(reply)
  if (name === "ZSCORE") return { score: String(reply) }
  if (name === "HGETALL") return { pairs: pairsDigest(reply as readonly Reply[]) }
  const isShort = typeof reply === "string" && reply.length <= SHORT
  if (isShort && !hidden) return reply as string
  const bytes = spell(reply)
  return { sha1: sha1(bytes), length: bytes.length }
}

const sha1 = (bytes: string | Uint8Array): string => createHash("sha1").update(bytes).digest("hex")

/** Any reply as bytes: a text is itself, of an array each part with its length. */
function spell(reply: Reply): Buffer {
  if (reply instanceof Uint8Array) return Buffer.from(reply)
  if (!Array.isArray(reply)) return Buffer.from(reply === null ? "" : String(reply))
  return Buffer.concat(
    (reply as readonly Reply[]).flatMap((part) => {
      const bytes = spell(part)
      return [Buffer.from(`${bytes.length}:`), bytes]
    }),
  )
}

/** Fields come in no order: the digests of all pairs, sorted. */
function pairsDigest(reply: readonly Reply[]): string {
  const parts: string[] = []
  for (let i = 0; i + 1 < reply.length; i += 2) parts.push(sha1(spell([reply[i]!, reply[i + 1]!])))
  return sha1(parts.sort().join(""))
}
