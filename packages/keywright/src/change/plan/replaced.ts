/* What an action must find for its undo to be true: exactly what the undo would restore. It is
 * compared in the step that replaces it, so that an undo never writes anything but what was
 * there, whatever a plan file says. */

import { sha1 } from "../../driver/reply-digest.ts"
import type { Action, Expectation, Expected } from "./plan.ts"
import { wordText } from "./plan-grammar.ts"
import { type Word, wireOf } from "./word.ts"

/** The conditions that an undo adds to those of its action. */
export function replacedBy({ commands, undo, expects }: Action): Expectation[] {
  // The one command that changes a set finds out itself whether the member was in it.
  if (commands.length === 1 && (commands[0]![0] === "SREM" || commands[0]![0] === "SADD")) return []
  const known = new Set(expects.map((one) => JSON.stringify(one)))
  return undo.flatMap(wasThere).filter((one) => !known.has(JSON.stringify(one)))
}

type Was = readonly [read: string, is: Expected, ...more: Word[]]

/** What was so, if a command restores it, by its words after the key. */
const before: Readonly<Record<string, (words: readonly Word[]) => readonly Was[]>> = {
  SADD: ([member]) => [["SISMEMBER", 1, member!]],
  SREM: ([member]) => [["SISMEMBER", 0, member!]],
  ZADD: ([score, member]) => [["ZSCORE", { score: wordText(score)! }, member!]],
  ZREM: ([member]) => [["ZSCORE", null, member!]],
  HSET: ([field, value]) => [["HGET", digestOf(value!), field!]],
  HDEL: ([field]) => [["HEXISTS", 0, field!]],
  UNLINK: () => [["EXISTS", 0]],
  PERSIST: () => [["PEXPIRETIME", -1]],
  PEXPIREAT: ([deadline]) => [["PEXPIRETIME", Number(wordText(deadline))]],
  RESTORE: ([deadline, dump]) => [
    ["DUMP", digestOf(dump!)],
    ["PEXPIRETIME", Number(wordText(deadline)) || -1],
  ],
}

function wasThere([name, key, ...words]: readonly Word[]): Expectation[] {
  if (!Object.hasOwn(before, String(name))) throw new Error(`nothing is undone by ${String(name)}`)
  return before[String(name)]!(words).map(([read, is, ...more]) => ({ read: [read, key!, ...more], is }))
}

function digestOf(word: Word): Expected {
  const bytes = Buffer.from(wireOf(word))
  return { sha1: sha1(bytes), length: bytes.length }
}

/** What an action says itself of the whole value that its undo restores: false when that is another one. */
export function restoresWhatItSays(
  { expects }: Action,
  [, key, , dump]: readonly Word[],
  type: string,
  text: Uint8Array | undefined,
): boolean {
  const spelled = Buffer.from(wireOf(key!))
  return expects.every(({ db, read, is }) => {
    if (db !== undefined || !spelled.equals(Buffer.from(wireOf(read[1]!)))) return true
    if (read[0] === "EXISTS") return is === 1
    const bytes = {
      DUMP: Buffer.from(wireOf(dump!)),
      TYPE: Buffer.from(type),
      GET: text,
    }[String(read[0])]
    if (read[0] !== "DUMP" && read[0] !== "TYPE" && read[0] !== "GET") return true
    if (bytes === undefined || is === null) return false
    return typeof is === "string"
      ? Buffer.from(is).equals(bytes)
      : typeof is === "object" && "sha1" in is && is.sha1 === sha1(bytes)
  })
}
