/* What an action must find for its undo to be true: exactly what the undo would restore. It is
 * compared in the step that replaces it, so that an undo never writes anything but what was
 * there, whatever a plan file says. */

import { sha1 } from "../../driver/reply-digest.ts"
import type { Action, Expectation, Expected } from "./plan.ts"
import { wordText } from "./plan-grammar.ts"
import { type Word, wireOf } from "./word.ts"

/** The conditions that an undo adds to those of its action. */
export function replacedBy({ commands, undo, expects }: Action): Expectation[] {
  // Whether a member was in a set, the one command that changes it finds out itself.
  if (commands.length === 1 && (commands[0]![0] === "SREM" || commands[0]![0] === "SADD")) return []
  const known = new Set(expects.map((one) => JSON.stringify(one)))
  return undo.flatMap(wasThere).filter((one) => !known.has(JSON.stringify(one)))
}

/** What was so, if this command restores it. */
function wasThere([name, key, ...words]: readonly Word[]): Expectation[] {
  const was = (read: string, is: Expected, ...more: readonly Word[]): Expectation => ({
    read: [read, key!, ...more],
    is,
  })
  switch (name) {
    case "SADD":
      return [was("SISMEMBER", 1, words[0]!)]
    case "SREM":
      return [was("SISMEMBER", 0, words[0]!)]
    case "ZADD":
      return [was("ZSCORE", { score: wordText(words[0])! }, words[1]!)]
    case "ZREM":
      return [was("ZSCORE", null, words[0]!)]
    case "HSET":
      return [was("HGET", digestOf(words[1]!), words[0]!)]
    case "HDEL":
      return [was("HEXISTS", 0, words[0]!)]
    case "UNLINK":
      return [was("EXISTS", 0)]
    case "PERSIST":
      return [was("PEXPIRETIME", -1)]
    case "PEXPIREAT":
      return [was("PEXPIRETIME", Number(wordText(words[0])))]
    case "RESTORE":
      return [was("DUMP", digestOf(words[1]!)), was("PEXPIRETIME", Number(wordText(words[0])) || -1)]
    default:
      throw new Error(`nothing is undone by ${String(name)}`)
  }
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
