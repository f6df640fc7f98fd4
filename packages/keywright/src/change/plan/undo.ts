/* What a command changes: what to read before it, what undoes it, and what must
 * hold before it is undone (which is also how to see that it has been done). */

import type { Command, Reply, Wire } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"

interface Change {
  /** Reads what there was. */
  readonly before: (command: Command) => readonly Command[]
  /** Restores it, from the replies to `before`. */
  readonly undo: (command: Command, replies: readonly Reply[]) => readonly Command[]
  /** A read and what it returns when the command has been carried out; undefined when that is not known. */
  readonly after: (command: Command) => readonly [Command, Reply | "expires"] | undefined
}

const key = (command: Command): Wire => command[1]!
const wire = (reply: Reply): Wire => (reply instanceof Uint8Array ? reply : String(reply))

/** The whole key: its serialized value and its deadline. */
const whole = (command: Command): Command[] => [
  ["DUMP", key(command)],
  ["PEXPIRETIME", key(command)],
]
const restore = (command: Command, [dump, deadline]: readonly Reply[]): Command[] =>
  dump === null || dump === undefined
    ? []
    : [["RESTORE", key(command), String(Math.max(0, Number(deadline))), dump as Uint8Array, "REPLACE", "ABSTTL"]]

const trim = (length: string, keep: (command: Command) => number): Change => ({
  before: whole,
  undo: restore,
  after: (command) => [[length, key(command)], keep(command)],
})
const rewrite: Change = { before: whole, undo: restore, after: () => undefined }

/** `was`: whether it had the member. */
const ofSet = (was: 0 | 1, back: "SADD" | "SREM"): Change => ({
  before: (command) => [["SISMEMBER", key(command), command[2]!]],
  undo: (command, [found]) => (found === was ? [[back, ...command.slice(1)]] : []),
  after: (command) => [["SISMEMBER", key(command), command[2]!], 1 - was],
})

const deadline: Change = {
  before: (command) => [["PEXPIRETIME", key(command)]],
  undo: (command, [old]) =>
    Number(old) > 0
      ? [["PEXPIREAT", key(command), String(old)]]
      : Number(old) === -1
        ? [["PERSIST", key(command)]]
        : [],
  after: (command) => [["PTTL", key(command)], command[0] === "PERSIST" ? -1 : "expires"],
}

const changes: Readonly<Record<string, Change>> = {
  SREM: ofSet(1, "SADD"),
  SADD: ofSet(0, "SREM"),
  ZREM: {
    before: (command) => [["ZSCORE", key(command), command[2]!]],
    undo: (command, [score]) => (score === null ? [] : [["ZADD", key(command), wire(score!), command[2]!]]),
    after: (command) => [["ZSCORE", key(command), command[2]!], null],
  },
  ZADD: {
    before: (command) => [["ZSCORE", key(command), command.at(-1)!]],
    undo: (command, [score]) =>
      score === null
        ? [["ZREM", key(command), command.at(-1)!]]
        : [["ZADD", key(command), wire(score!), command.at(-1)!]],
    after: (command) => [["ZSCORE", key(command), command.at(-1)!], String(command.at(-2))],
  },
  HDEL: {
    before: (command) => [["HGET", key(command), command[2]!]],
    undo: (command, [value]) => (value === null ? [] : [["HSET", key(command), command[2]!, wire(value!)]]),
    after: (command) => [["HEXISTS", key(command), command[2]!], 0],
  },
  HSET: {
    before: (command) => [["HGET", key(command), command[2]!]],
    undo: (command, [value]) =>
      value === null ? [["HDEL", key(command), command[2]!]] : [["HSET", key(command), command[2]!, wire(value!)]],
    after: (command) => [["HGET", key(command), command[2]!], command[3]!],
  },
  SET: {
    before: whole,
    undo: (command, replies) => (replies[0] === null ? [["UNLINK", key(command)]] : restore(command, replies)),
    after: (command) => [["GET", key(command)], command[2]!],
  },
  UNLINK: { before: whole, undo: restore, after: (command) => [["EXISTS", key(command)], 0] },
  DELIF: { before: whole, undo: restore, after: (command) => [["EXISTS", key(command)], 0] },
  PERSIST: deadline,
  PEXPIRE: deadline,
  PEXPIREAT: deadline,
  LTRIM: trim("LLEN", (command) => Number(command[3]) + 1),
  ZREMRANGEBYRANK: trim("ZCARD", (command) => -Number(command[3]) - 1),
  XTRIM: trim("XLEN", (command) => Number(command[3])),
  LREM: rewrite,
  XDEL: rewrite,
  // A counter is never lowered, not even by an undo: ids would be handed out twice.
  RAISE: { before: () => [], undo: () => [], after: () => undefined },
}

/** What to read before a command, for its undo. */
export const readsBefore = (command: Command): readonly Command[] => changes[command[0] as string]!.before(command)

/** What takes the command back, given what `readsBefore` read. */
export const undoOf = (command: Command, replies: readonly Reply[]): readonly Command[] =>
  replies.some((reply) => reply instanceof KeywrightError) ? [] : changes[command[0] as string]!.undo(command, replies)

/** What is read once the command has been carried out, also one that takes another back. */
export const readAfter = (command: Command): readonly [Command, Reply | "expires"] | undefined =>
  command[0] === "RESTORE" ? [["DUMP", key(command)], command[3]!] : changes[command[0] as string]!.after(command)

/** Its undo restores a whole key: that must still be as it was when the plan was made. */
export const replacesWhole = ([name]: readonly unknown[]): boolean => changes[name as string]!.before === whole

export const isKnownChange = (command: Command): boolean => Object.hasOwn(changes, command[0] as string)
