/* Digests of replies: a commit uses them to check that what it rests on is unchanged. */

import type { Reply, Wire } from "../../driver/driver.ts"
import { sha1, spell, unorderedDigest } from "../../driver/reply-digest.ts"

/** How a reply is compared: in its order, or in any order, as members or as pairs of field and value. */
export type ReplyOrder = "ordered" | "members" | "pairs"
const orders: Readonly<Record<string, ReplyOrder>> = {
  SMEMBERS: "members",
  SINTER: "members",
  SUNION: "members",
  SDIFF: "members",
  HKEYS: "members",
  HVALS: "members",
  HGETALL: "pairs",
}
export const orderOf = (name: Wire): ReplyOrder => orders[name as string] ?? "ordered"

export function digestOf(reply: Reply, order: ReplyOrder): string {
  if (reply === null) return "none"
  if (order === "ordered" || !Array.isArray(reply)) return sha1(spell(reply))
  return unorderedDigest(reply as readonly Reply[], order === "pairs" ? 2 : 1)
}
