/* Commands on one plain key, by key-write.lua: once per operation id, or within a family.
 *
 * A client that sends a command again after a lost reply cannot know whether the first one
 * arrived; with an operation id it need not. key-write.lua remembers the result under
 * keywright:op:, for longer than a call is repeated. Plans, which entities and transactions
 * make, have apply.lua for this. */

import type { Answering, CallOptions, Command, Reply, Script, Wire } from "../../driver/driver.ts"
import { mostBytesOf } from "../../driver/reply-kind.ts"
import { scriptTooLong } from "../../errors/batch.ts"
import type { Lane } from "../call/lane.ts"
import type { CallNotes, OnceNotes } from "../call/notes.ts"
import type { ReadyKey } from "../call/ready-key.ts"
import { keyWriteScript } from "../lua/index.ts"
import { operationKey, rememberedMs } from "../plan/operation-key.ts"

/** What Lua's unpack can put on its stack, with room to spare. */
const MOST_UNPACKED = 7000

/**
 * key-write.lua returns what its first command does, or nothing when the family is not loaded. Behind the keys there
 * are how long that is remembered, and the command's words.
 */
function answering(words: Command): Answering {
  const keys = Number(words[0])
  const at = keys + 2
  const [name, ...rest] = words.slice(at + 1, at + 1 + Number(words[at]))
  return { command: [name!, "", ...rest], mayBeNothing: keys > (words[keys + 1] === "0" ? 1 : 2) }
}

export const keyWrite: Script = Object.freeze({
  ...keyWriteScript,
  answering,
  mostBytes: (words: Command) => mostBytesOf(answering(words).command),
})

/** Commands on one key as one list: number of words, name, words after the key. */
const flattened = (commands: readonly Command[]): Wire[] =>
  commands.flatMap(([name, , ...rest]) => {
    if (rest.length > MOST_UNPACKED) throw scriptTooLong(rest.length, MOST_UNPACKED)
    return [String(rest.length + 1), name!, ...rest]
  })

type Distinguishing = (words: readonly Wire[]) => readonly Wire[]
const all: Distinguishing = (words) => words
const first: Distinguishing = ([word]) => [word!]
const direction: Distinguishing = ([amount]) => [String(amount).startsWith("-") ? "down" : "up"]
const fieldAndDirection: Distinguishing = ([field, amount]) => [field!, ...direction([amount!])]
const directionAndMember: Distinguishing = ([amount, member]) => [...direction([amount!]), member!]
const oneOrMany: Distinguishing = ({ length }) => [length === 0 ? "one" : "many"]

/**
 * What tells calls with the same operation id and the same command apart: the fields, members and ranges that they are about, and how
 * they act on them, but not what they write. A repetition may have been given another amount or value.
 */
const distinguishing: Readonly<Record<string, Distinguishing>> = {
  SET: (words) => words.slice(1).filter((word) => /^(?:NX|XX|GET)$/.test(String(word))),
  INCRBY: direction,
  INCRBYFLOAT: direction,
  HINCRBY: fieldAndDirection,
  HINCRBYFLOAT: fieldAndDirection,
  HSETNX: first,
  HDEL: all,
  SADD: all,
  SREM: all,
  ZREM: all,
  ZREMRANGEBYRANK: all,
  ZREMRANGEBYSCORE: all,
  ZINCRBY: directionAndMember,
  LREM: directionAndMember,
  SETBIT: all,
  BITFIELD: all,
  LPOP: oneOrMany,
  RPOP: oneOrMany,
  SPOP: oneOrMany,
  ZPOPMIN: oneOrMany,
  ZPOPMAX: oneOrMany,
}

function operationOf([name, , ...words]: Command): string {
  return [name, ...(distinguishing[String(name)]?.(words) ?? [])].map((word) => JSON.stringify(word)).join(" ")
}

/** Carried out once, however often it is sent. */
export function once(
  lane: Lane,
  ready: ReadyKey,
  key: string,
  commands: readonly Command[],
  notes: CallOptions & OnceNotes = {},
): Promise<Reply> {
  const operation = operationKey(notes.operationId, operationOf(commands[0]!), [key], lane.driver.cluster)
  const family = ready.family ? familyKeys(ready, key) : []
  const { operationId: _, rememberFor: __, ...call } = notes
  const remembered = String(rememberedMs(lane, notes))
  // The operation id makes a repetition harmless, so the driver may send it again.
  const options = { ...call, safe: true }
  return lane.script(keyWrite, [key, ...family, operation], [remembered, ...flattened(commands)], options)
}

/** Changes a key of a loaded family, whose deadline stays; null when the family is not loaded. */
export function familyWrite(
  lane: Lane,
  ready: ReadyKey,
  key: string,
  commands: readonly Command[],
  notes?: CallNotes,
): Promise<Reply> {
  return lane.script(keyWrite, [key, ...familyKeys(ready, key)], ["0", ...flattened(commands)], notes)
}

/** The keys that say whether the family of a key is loaded: its marker, or where it has none, all of them. */
function familyKeys(ready: ReadyKey, key: string): string[] {
  const params = ready.format.parse(key) ?? {}
  const marker = ready.family!.find((member) => member.declared.marker)
  return (marker ? [marker] : ready.family!).map((member) => member.build(params))
}
