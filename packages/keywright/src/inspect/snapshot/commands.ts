/* What the commands that read answer, from the value of one key. A key that is not there
 * is an empty one: what a server says then mostly follows from that. */

import type { Command, Reply, Wire } from "../../driver/driver.ts"
import { serverError } from "../../driver/server-errors.ts"
import type { Elements } from "./elements.ts"
import type { SnapshotKey } from "./snapshot-key.ts"
import { scoreNumber } from "./score.ts"
import { pendingOf, rangeOf, streamFacts } from "./stream-commands.ts"

/** What a command knows besides its key. */
export interface SnapshotCall {
  /** All its words, the name first. */
  readonly words: Command
  /** When the file was written. */
  readonly now: number
}

type CommandHandler = (entry: SnapshotKey | undefined, asked: SnapshotCall) => Reply

const text = ({ words }: SnapshotCall, at: number): string => String(words[at])
const number = (asked: SnapshotCall, at: number): number => Number(text(asked, at))

const elementsOf = (entry: SnapshotKey | undefined): Elements => entry?.elements ?? []
const allOf = (entry: SnapshotKey | undefined): readonly Wire[] => elementsOf(entry).slice(0)
const countOf = (entry: SnapshotKey | undefined): number =>
  entry === undefined ? 0 : elementsOf(entry).length / entry.width
const has = (entry: SnapshotKey | undefined, element: Wire): 0 | 1 =>
  entry !== undefined && entry.find(element) >= 0 ? 1 : 0

/** The second of a pair. */
function secondOf(entry: SnapshotKey | undefined, first: Wire): Wire | null {
  const at = entry?.find(first) ?? -1
  return at < 0 ? null : entry!.elements.at(at + 1)!
}

/** HSCAN and similar commands: the cursor is the position of the next element. */
const scanned: CommandHandler = (entry, asked) => {
  const elements = elementsOf(entry)
  const from = number(asked, 2)
  const count = asked.words.length > 4 ? number(asked, 4) : 10
  const end = from + count * (entry?.width ?? 1)
  return [end < elements.length ? String(end) : "0", elements.slice(from, end)]
}

/** LRANGE's and GETRANGE's way to count from both ends. */
function spanOf(length: number, from: number, to: number): [start: number, end: number] {
  const start = Math.max(0, from < 0 ? length + from : from)
  return [start, Math.min(length, (to < 0 ? length + to : to) + 1)]
}

function ranked(entry: SnapshotKey | undefined, asked: SnapshotCall): Reply {
  const options = asked.words.slice(4).map((word) => String(word).toUpperCase())
  const all = entry?.ranking
  if (all === undefined) return []
  let [from, to] = spanOf(all.length, number(asked, 2), number(asked, 3))
  if (options.includes("BYSCORE")) {
    const [least, most] = [bound(text(asked, 2)), bound(text(asked, 3))]
    from = all.first((score) => (least.open ? score > least.at : score >= least.at))
    to = all.first((score) => (most.open ? score >= most.at : score > most.at))
    const limit = options.indexOf("LIMIT")
    if (limit >= 0) {
      from += Number(options[limit + 1])
      if (Number(options[limit + 2]) >= 0) to = Math.min(to, from + Number(options[limit + 2]))
    }
  }
  return all.slice(from, to, options.includes("WITHSCORES"))
}

const bound = (word: string): { readonly at: number; readonly open: boolean } => ({
  at: scoreNumber(word.replace("(", "")),
  open: word.startsWith("("),
})

function valueOf(entry: SnapshotKey | undefined): Buffer {
  return Buffer.from(elementsOf(entry).at(0) ?? "")
}

/** Whether a command cannot be answered from the beginning of a long string. */
export function needsWhole(entry: SnapshotKey | undefined, words: Command): boolean {
  if (entry?.cutFrom === undefined) return false
  const name = String(words[0])
  if (name !== "GETRANGE") return name === "GET" || name === "MGET"
  const [from, to] = [Number(words[2]), Number(words[3])]
  return from < 0 || to < 0 || to >= valueOf(entry).length
}

/** By type and name. */
const typed: Readonly<Record<string, Readonly<Record<string, CommandHandler>>>> = {
  string: {
    GET: (entry) => elementsOf(entry).at(0) ?? null,
    STRLEN: (entry) => entry?.cutFrom ?? valueOf(entry).length,
    GETRANGE(entry, asked) {
      const value = elementsOf(entry).at(0) ?? ""
      // Most are short, and wanted whole.
      if (number(asked, 2) === 0 && value.length * 3 <= number(asked, 3)) return value
      const bytes = Buffer.from(value)
      return bytes.subarray(...spanOf(bytes.length, number(asked, 2), number(asked, 3)))
    },
  },
  hash: {
    HLEN: countOf,
    HGETALL: allOf,
    HSCAN: scanned,
    HGET: (entry, { words }) => secondOf(entry, words[2]!),
    HEXISTS: (entry, { words }) => has(entry, words[2]!),
  },
  set: {
    SCARD: countOf,
    SMEMBERS: allOf,
    SSCAN: scanned,
    SISMEMBER: (entry, { words }) => has(entry, words[2]!),
    SMISMEMBER: (entry, { words }) => words.slice(2).map((member) => has(entry, member)),
  },
  zset: {
    ZCARD: countOf,
    ZSCAN: scanned,
    ZSCORE: (entry, { words }) => secondOf(entry, words[2]!),
    ZRANGE: ranked,
  },
  list: {
    LLEN: countOf,
    LRANGE: (entry, asked) => elementsOf(entry).slice(...spanOf(countOf(entry), number(asked, 2), number(asked, 3))),
    LPOS(entry, { words }) {
      const at = entry?.find(words[2]!) ?? -1
      return at < 0 ? null : at
    },
  },
  stream: {
    XLEN: (entry) => entry?.stream?.entries.length ?? 0,
    XRANGE: (entry, asked) => rangeOf(entry?.stream, asked.words),
    XINFO: (entry) => streamFacts(entry?.stream),
    XPENDING: (entry, asked) => pendingOf(entry?.stream, asked.words),
  },
}

/** Commands for keys of any type. */
const untyped: Readonly<Record<string, CommandHandler>> = {
  TYPE: (entry) => (entry === undefined ? "none" : entry.type === "module" ? entry.encoding : entry.type),
  PTTL: (entry, { now }) =>
    entry === undefined ? -2 : entry.expireAtMs === undefined ? -1 : Math.max(1, entry.expireAtMs - now),
  PEXPIRETIME: (entry) => (entry === undefined ? -2 : (entry.expireAtMs ?? -1)),
  MEMORY: (entry) => entry?.size ?? null,
  OBJECT: (entry) => entry?.encoding ?? null,
}

export interface KnownCommand {
  readonly answer: CommandHandler
  /** The position of the key among the words. */
  readonly key: number
}

const LATER: Readonly<Record<string, number>> = {
  MEMORY: 2,
  OBJECT: 2,
  XINFO: 2,
}

const WRONG = "WRONGTYPE Operation against a key holding the wrong kind of value"

/** Every command of one key, by name. */
export const commands: ReadonlyMap<string, KnownCommand> = new Map([
  ...Object.entries(untyped).map(([name, answer]) => knownCommand(name, answer)),
  ...Object.entries(typed).flatMap(([type, answers]) =>
    Object.entries(answers).map(([name, answer]) =>
      knownCommand(name, (entry, asked) =>
        entry === undefined || entry.type === type ? answer(entry, asked) : serverError(WRONG),
      ),
    ),
  ),
])

function knownCommand(name: string, answer: CommandHandler): [string, KnownCommand] {
  return [name, { answer, key: LATER[name] ?? 1 }]
}
