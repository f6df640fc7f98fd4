/* How what a transaction read is compared when it commits: by the digest of the reply. */

import type { Reply, Wire } from "../../driver/driver.ts"
import { sha1, spell, unorderedDigest } from "../../driver/reply-digest.ts"

/** How a reply is compared: in order (d), or regardless of order as members (s) or as pairs (h). */
export type ReplyOrder = "d" | "s" | "h"
const orders: Readonly<Record<string, ReplyOrder>> = {
  SMEMBERS: "s",
  SINTER: "s",
  SUNION: "s",
  SDIFF: "s",
  HKEYS: "s",
  HVALS: "s",
  HGETALL: "h",
}
export const orderOf = (name: Wire): ReplyOrder => orders[name as string] ?? "d"

export function digestOf(reply: Reply, order: ReplyOrder): string {
  if (reply === null) return "none"
  if (order === "d" || !Array.isArray(reply)) return sha1(spell(reply))
  return unorderedDigest(reply as readonly Reply[], order === "h" ? 2 : 1)
}
