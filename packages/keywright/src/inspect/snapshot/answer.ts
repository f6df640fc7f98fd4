/* Commands of a batch, answered from a file: the values that some of them need are read
 * together, as many as fit, then those commands are answered. */

import type { CallOptions, Command, Reply, Wire } from "../../driver/driver.ts"
import { rdbReadOnly } from "../../errors/rdb.ts"
import { globMatcher } from "../walk/glob.ts"
import { asWire } from "../walk/wire.ts"
import { commands as known, needsWhole } from "./commands.ts"
import { type SnapshotKeys, PART_BYTES } from "./snapshot-keys.ts"
import type { SnapshotKey } from "./snapshot-key.ts"
import type { KeyIndex } from "./key-index.ts"

export interface SnapshotData {
  readonly index: KeyIndex
  readonly entries: SnapshotKeys
  readonly now: number
}

/** Commands whose reply is a status, which is text. */
const STATUS = new Set(["TYPE", "PING"])

export async function answerAll(
  commands: readonly Command[],
  place: SnapshotData,
  { bytes = false, signal }: CallOptions,
): Promise<Reply[]> {
  const replies: Reply[] = []
  while (replies.length < commands.length) {
    signal?.throwIfAborted()
    const some = portionOf(commands, replies.length, place.index)
    const loaded = await place.entries.load(place.index, some.numbers)
    for (let i = 0; i < some.count; i++) {
      const command = commands[replies.length]!
      const found = answer(command, place, await completed(command, place, loaded))
      const reply = found instanceof Promise ? await found : found
      replies.push(bytes && !STATUS.has(String(command[0])) ? asBytes(reply) : asText(reply))
    }
  }
  return replies
}

/** What was loaded, with the keys of this command that no longer fitted. */
function completed(
  command: Command,
  { index, entries }: SnapshotData,
  loaded: ReadonlyMap<number, SnapshotKey>,
): ReadonlyMap<number, SnapshotKey> | Promise<ReadonlyMap<number, SnapshotKey>> {
  const numbers = keysOfCommand(command).map((key) => index.find(key))
  return numbers.every((number) => number < 0 || loaded.has(number))
    ? loaded
    : eachOf(
        index,
        entries,
        numbers.filter((number) => number >= 0),
      )
}

async function eachOf(index: KeyIndex, entries: SnapshotKeys, numbers: readonly number[]) {
  const all = new Map<number, SnapshotKey>()
  for (const number of numbers) for (const [at, entry] of await entries.load(index, [number])) all.set(at, entry)
  return all
}

/** How many commands from this one on are answered together, and the keys whose values they need. */
function portionOf(
  commands: readonly Command[],
  from: number,
  index: KeyIndex,
): { count: number; numbers: Set<number> } {
  const numbers = new Set<number>()
  let size = 0
  let at = from
  for (; at < commands.length && size < PART_BYTES; at++) {
    for (const key of keysOfCommand(commands[at]!)) {
      const number = index.find(key)
      if (number < 0 || numbers.has(number)) continue
      numbers.add(number)
      size += index.endOf(number) - index.offset(number)
    }
  }
  return { count: at - from, numbers }
}

/** Keys whose values a command needs. */
function keysOfCommand(command: Command): readonly Wire[] {
  const name = String(command[0])
  if (name === "MGET") return command.slice(1).map((key) => asWire(key))
  const key = command[known.get(name)?.key ?? Infinity]
  return key === undefined ? [] : [asWire(key)]
}

function answer(
  command: Command,
  place: SnapshotData,
  loaded: ReadonlyMap<number, SnapshotKey>,
): Reply | Promise<Reply> {
  const { index, now } = place
  const name = String(command[0])
  const entryOf = (key: Wire): SnapshotKey | undefined => loaded.get(index.find(asWire(key)))
  const one = known.get(name)
  if (one !== undefined) {
    const entry = entryOf(command[one.key]!)
    const asked = { words: command, now }
    return needsWhole(entry, command)
      ? wholeOf(entry, place).then((whole) => one.answer(whole, asked))
      : one.answer(entry, asked)
  }
  switch (name) {
    case "EXISTS":
      return command.slice(1).filter((key) => index.find(asWire(key)) >= 0).length
    case "MGET":
      return valuesOf(command, command.slice(1).map(entryOf), place)
    case "SCAN":
      return scan(command, place)
    case "DBSIZE":
      return index.length
    case "PING":
      return "PONG"
    default:
      return rdbReadOnly(name, "an RDB file")
  }
}

async function wholeOf(
  entry: SnapshotKey | undefined,
  { index, entries }: SnapshotData,
): Promise<SnapshotKey | undefined> {
  return entry && entries.whole(index, index.find(entry.key))
}

async function valuesOf(
  command: Command,
  found: readonly (SnapshotKey | undefined)[],
  place: SnapshotData,
): Promise<Reply> {
  const values: Reply[] = []
  for (const one of found) {
    const entry = needsWhole(one, command) ? await wholeOf(one, place) : one
    values.push(entry?.type === "string" ? entry.elements.at(0)! : null)
  }
  return values
}

/** The cursor is the number of the next key. Large values make a page short. */
async function scan(command: Command, { index, entries }: SnapshotData): Promise<Reply> {
  const options = command.slice(2).map(String)
  const option = (name: string) => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined)
  const match = option("MATCH")
  const from = Number(command[1])
  const end = Math.min(index.length, from + Number(option("COUNT") ?? 10))
  const numbers: number[] = []
  for (let at = from; at < end; at++) {
    if (at > from && index.endOf(at) - index.offset(from) > PART_BYTES) break
    numbers.push(at)
  }
  const { keys, end: reached } = await entries.walk(
    index,
    numbers,
    match === undefined ? undefined : globMatcher(match),
  )
  const next = Math.min(from + numbers.length, reached)
  const found = numbers.flatMap((number) => (number < next ? (keys.get(number)?.key ?? []) : []))
  return [next < index.length ? String(next) : "0", found]
}

function asBytes(reply: Reply): Reply {
  if (typeof reply === "string") return Buffer.from(reply)
  return Array.isArray(reply) ? (reply as readonly Reply[]).map(asBytes) : reply
}

function asText(reply: Reply): Reply {
  if (reply instanceof Uint8Array) return Buffer.from(reply).toString()
  return Array.isArray(reply) && reply.some(mayHoldBytes) ? (reply as readonly Reply[]).map(asText) : reply
}

const mayHoldBytes = (reply: Reply): boolean => typeof reply === "object"
