/* What must hold before anything of a plan is written: all kinds of checks, each with the error for when it fails. */

import type { Reply, Wire } from "../../driver/driver.ts"
import type { KeywrightError } from "../../errors/error.ts"
import { planTooLarge } from "../../errors/transaction.ts"
import { MOST_WORDS } from "./command-chunks.ts"
import { digestOf, orderOf, type ReplyOrder } from "./digest.ts"
import type { RecordKey } from "./plan.ts"

export type Check = ReadCheck | Demand

/** Something that was read has not changed. */
type ReadCheck = StringIs | Absent | HashIs | SetIs | ReplyIs

/** Something that a write needs. If what was read has changed, the decision is void: so reads are compared first. */
type Demand = UniqueFree | UniqueUnheld | HasType | Ahead | IsNumber | HasElement

/** The error for a check that failed: `found` is what the key held. */
export type OnFailure = (found: Reply) => KeywrightError

interface CheckOf<K extends string> {
  readonly check: K
  readonly key: string
  readonly onFailure: OnFailure
}

/** The string at `key` is exactly `value`. */
export interface StringIs extends CheckOf<"string"> {
  readonly value: Wire
}

/** There is no such key. */
export type Absent = CheckOf<"absent">

/** A hash of exactly these fields and values, in any order. */
interface HashIs extends CheckOf<"hash"> {
  /** Field, value, field, value … */
  readonly pairs: readonly Wire[]
}

/** A set of exactly these members. */
interface SetIs extends CheckOf<"set"> {
  readonly members: readonly string[]
}

/** A read command returns the same as before: compared by digest. */
interface ReplyIs extends CheckOf<"reply"> {
  /** The command without its key. */
  readonly words: readonly Wire[]
  readonly order: ReplyOrder
  readonly digest: string
}

/** A unique value that no other record has: it is free, held by `id`, or by a record that is gone. Found: its holder. */
export interface UniqueFree extends CheckOf<"unique-free"> {
  readonly id: string
  readonly record: RecordKey
  /** The holder's id may be stored in quotes. */
  readonly isQuoted: boolean
}

/**
 * The same without looking at the holder's record, for a cluster, where a script can only access the keys it was given.
 */
interface UniqueUnheld extends CheckOf<"unique-unheld"> {
  readonly id: string
  readonly isQuoted: boolean
}

/** Nothing, or a key of this Redis type. */
interface HasType extends CheckOf<"type"> {
  readonly type: string
}

/**
 * An instant (Unix milliseconds) in the future, by at most `ms`, by the clock of the server. Found: "past" or "late".
 */
interface Ahead extends CheckOf<"ahead"> {
  readonly at: number
  readonly ms: number
}

/** Nothing, or a number that can be added to: the whole string, or a field of a hash. */
interface IsNumber extends CheckOf<"number"> {
  /** Undefined: the whole string. */
  readonly field: Wire | undefined
  readonly isWhole: boolean
}

/** A list that has an element at this position. */
interface HasElement extends CheckOf<"element"> {
  readonly position: Wire
}

const reads: ReadonlySet<Check["check"]> = new Set(["string", "absent", "hash", "set", "reply"])

export const isReadCheck = (check: Check): check is ReadCheck => reads.has(check.check)

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
