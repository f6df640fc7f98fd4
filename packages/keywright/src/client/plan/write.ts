/* What a plan does when all its checks hold: all kinds of writes. They can
 * hardly fail then. A key that should be a set may be of another type: that is found out by
 * trying, before anything else is written, and undone. What an ACL refuses after other
 * writes is reported as PLAN.HALF_WRITTEN. */

import type { Reply, Wire } from "../../driver/driver.ts"
import type { KeywrightError } from "../../errors/error.ts"

export type Write = MoveMember | KeyWrite

/** What is done to one key. */
export type KeyWrite = CommandWrite | DeleteIf | LiveAs | NoteEnd | RemoveByType

/** SADD and SREM: the sets that a member enters, and those that it leaves. */
export interface MoveMember {
  readonly write: "move"
  readonly member: string
  readonly owner: SetOwner
  readonly enters: string[]
  readonly leaves: string[]
}

/** The owner of the sets: it creates the error for a key of another type. */
export interface SetOwner {
  wrongType(key: string, type: "set", found: Reply): KeywrightError
}

interface WriteOf<K extends string> {
  readonly write: K
  readonly key: string
}

/** A command of Redis on one key. It must not be able to fail once all checks hold. */
interface CommandWrite extends WriteOf<"command"> {
  readonly name: string
  /** What comes after the key. */
  readonly words: readonly Wire[]
}

/** DEL, if the string has this value: a unique value may belong to another record by now. */
interface DeleteIf extends WriteOf<"delete-if"> {
  readonly value: string
}

/** PEXPIRE: the key lives as long as a record has left. */
interface LiveAs extends WriteOf<"live-as"> {
  readonly record: string
}

/** ZADD of the instant at which a record ends, by the clock of the server: for the sweeper, see entity/expiry.ts. */
interface NoteEnd extends WriteOf<"note-end"> {
  readonly member: string
  /** In how many milliseconds it ends. With `record`, only used if that key has no TTL. */
  readonly ms: number
  /** The key whose remaining time counts instead. */
  readonly record?: string
}

/** SREM or ZREM, whichever the key takes; nothing where it is of another type. */
interface RemoveByType extends WriteOf<"remove-by-type"> {
  readonly member: string
}
