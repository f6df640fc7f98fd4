import type { Reply, Wire } from "../../../driver/driver.ts"
import { planTooLarge } from "../../../errors/transaction.ts"
import { MOST_WORDS } from "../command-chunks.ts"
import { digestOf, type ReplyOrder, orderOf } from "../digest.ts"
import type { OnFailure } from "./check.ts"
import type { SetIs } from "./set-is.ts"

/** A read command returns the same as before: compared by digest. */
export interface ReplyIs {
  readonly check: "reply"
  readonly key: string
  /** The command without its key. */
  readonly words: readonly Wire[]
  readonly order: ReplyOrder
  readonly digest: string
  readonly onFailure: OnFailure
}

/** Sets of up to this many members, each up to this long, are compared as they are: that is cheaper than a digest. */
const FEW = 64

export function replyIs(key: string, words: readonly Wire[], reply: Reply, onFailure: OnFailure): ReplyIs | SetIs {
  if (words.length > MOST_WORDS) throw planTooLarge(words.length)
  if (words[0] === "SMEMBERS" && isSmall(reply)) return { check: "set", key, members: reply, onFailure }
  const order = orderOf(words[0]!)
  return { check: "reply", key, words, order, digest: digestOf(reply, order), onFailure }
}

const isSmall = (reply: Reply): reply is string[] =>
  Array.isArray(reply) &&
  reply.length <= FEW &&
  reply.every((member) => typeof member === "string" && member.length <= FEW)
