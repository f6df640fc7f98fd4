/* A line of an export as what it says, and as the commands that write it. */

import { isUtf8 } from "node:buffer"
import type { Command, Reply, Wire } from "../../driver/driver.ts"
import { importRefused } from "../../errors/change.ts"
import { hasNameTwice } from "../../files/name-twice.ts"
import { isObject, parsedJson } from "../../schema/codec/json-checks.ts"
import { isExactly } from "../plan/exact-fields.ts"
import { wireOf, type Word } from "../plan/word.ts"
import { asWire } from "../../inspect/walk/wire.ts"
import { isQuoted } from "../../schema/codec/quoted.ts"
import { codecsIn } from "../../schema/codecs-in.ts"
import type { Key } from "../../schema/key.ts"
import { fromJackson } from "./jackson.ts"
import type { ValuePart } from "./key-value.ts"
import type { Closing, KeyLine, Manifest, StreamEnd, StreamValue } from "./lines.ts"
import { hasTwice, isWellFormed } from "./value-forms.ts"

/** Words of one command: a script cannot take many more. */
export const MOST_WORDS = 1000

const TYPES = new Set<unknown>(["string", "list", "set", "zset", "hash", "stream", "other"])
const DATABASES = 1_000_000
/** As many as a reader of RDB files takes: each line is looked for among them. */
export const MOST_DATABASES = 10_000
/** Spelled as an export spells it, not as -0 or 0e0; a quote within a text has a backslash before it. */
const PLAIN_DEADLINE = /(?<!\\)"pexpireat"\s{0,9}:\s{0,9}\d{1,16}\s{0,9}[,}]/
const PLAIN_DATABASE = /(?<!\\)"db"\s{0,9}:\s{0,9}\d{1,7}\s{0,9}[,}]/

const LINE = new Set(["db", "key", "type", "pexpireat", "value", "more", "leftOut", "unreadable", "digest"])
const CLOSING = new Set(["end", "keys", "leftOut", "unreadable", "unreadableReason", "patterns"])
const MANIFEST = new Set(["format", "version", "schema", "source", "time", "databases", "match", "only", "secrets"])
const WORD = new Set(["base64"])
const DUMP = new Set(["dump"])
const STREAM = new Set(["entries", "end"])
const STREAM_END = new Set(["lastId", "added", "maxDeletedId", "groups"])
const GROUP = new Set(["name", "lastId", "read", "consumers", "pending"])

/** A field that we ignored could mean something to another reader; `__proto__` is a field like any other. */
const hasOnly = (value: object, names: ReadonlySet<string>): boolean =>
  Object.keys(value).every((name) => names.has(name))

export function readLine(text: string, number: number): KeyLine | Closing {
  const line = parsedJson(text)
  if (line === undefined) throw importRefused(number, "it is not JSON")
  if (hasNameTwice(text, line)) throw importRefused(number, "it has a field twice")
  if (typeof line !== "object" || line === null) throw importRefused(number, "it is not an object")
  if (!hasOnly(line, "end" in line ? CLOSING : LINE)) throw importRefused(number, "it has a field that is not known")
  if ((line as Closing).end === true) return closing(line as Closing, number)
  const { db, key, type, pexpireat, more, leftOut, unreadable, digest } = line as Partial<KeyLine>
  if (!isDatabase(db) || !PLAIN_DATABASE.test(text) || !isWord(key) || !TYPES.has(type))
    throw importRefused(number, "it does not describe a key")
  if (typeof key === "string" && !key.isWellFormed()) throw importRefused(number, `its key has ${LONE_SURROGATE}`)
  const isTime = Number.isSafeInteger(pexpireat) && pexpireat! > 0
  if (pexpireat !== undefined && !(isTime && PLAIN_DEADLINE.test(text)))
    throw importRefused(number, "its expiry is not a time in milliseconds")
  if (
    (more !== undefined && (more !== true || type === "string" || type === "other")) ||
    !(leftOut === undefined || leftOut === "secret" || (Array.isArray(leftOut) && leftOut.every(isText))) ||
    ![unreadable, digest].every((one) => one === undefined || isText(one))
  )
    throw importRefused(number, "it does not describe a key")
  return line as KeyLine
}

/** A line that says its key continues (`begun`) must be followed by more of that key and nothing else. */
export function requireContinued(begun: KeyLine | undefined, line: KeyLine | Closing, number: number): void {
  if (begun === undefined) return
  const isSame =
    !("end" in line) &&
    line.db === begun.db &&
    line.type === begun.type &&
    Buffer.compare(Buffer.from(wireOf(line.key)), Buffer.from(wireOf(begun.key))) === 0
  if (!isSame) throw importRefused(number, "it does not continue the key of the line before it")
}

function closing(line: Closing, number: number): Closing {
  const { keys, patterns } = line
  const isTally = (one: unknown) => typeof (one as { digest?: unknown } | null)?.digest === "string"
  if (!Number.isSafeInteger(keys) || !isObject(patterns) || !Object.values(patterns).every(isTally))
    throw importRefused(number, "it is not a closing line")
  return line
}

const isText = (value: unknown): value is string => typeof value === "string"

const isDatabase = (db: unknown): boolean =>
  Number.isInteger(db) && !Object.is(db, -0) && (db as number) >= 0 && (db as number) < DATABASES

export function readManifest(text: string): Manifest {
  const manifest = parsedJson(text) as Partial<Manifest> | undefined
  if (manifest !== undefined && hasNameTwice(text, manifest)) throw importRefused(1, "it has a field twice")
  if (manifest?.format !== "keywright-export") throw importRefused(1, "it does not begin an export")
  if (!hasOnly(manifest, MANIFEST)) throw importRefused(1, "it has a field that is not known")
  if (manifest.version !== 1) throw importRefused(1, `its version is ${String(manifest.version)}, and 1 is known`)
  const { databases, schema } = manifest
  if (!Array.isArray(databases) || databases.length > MOST_DATABASES || !databases.every(isDatabase))
    throw importRefused(1, "it does not name its databases")
  if (schema !== undefined && !isExactly(schema, { fingerprint: isText }, { name: isText }))
    throw importRefused(1, "it does not name its schema")
  return manifest as Manifest
}

const isWord = (word: unknown): word is Word =>
  typeof word === "string" ||
  (typeof word === "object" && word !== null && isBytes((word as { base64?: unknown }).base64) && hasOnly(word, WORD))

/** Only what is not text is written as bytes: a text that hides there would not be recognised as a key of its pattern. */
function isBytes(base64: unknown): boolean {
  if (typeof base64 !== "string") return false
  const bytes = Buffer.from(base64, "base64")
  return !isUtf8(bytes) && bytes.toString("base64") === base64
}

/** No server has such a text: what is written would be another one. */
const LONE_SURROGATE = "half of a surrogate pair, which is not text"

/** The elements of a line's value, as the server would return them. */
export function partOfLine(line: KeyLine, number: number): ValuePart {
  try {
    const part = partIn(line)
    required(isWellFormed(part), line.type === "zset" ? "its zset has a score that no server can hold" : undefined)
    required(!hasTwice(part), `it has a ${line.type === "hash" ? "field" : "member"} of its ${line.type} twice`)
    return part
  } catch (error) {
    const why = error instanceof NotOfForm ? error.message : ""
    throw importRefused(number, why || `its value is not that of a ${line.type}`)
  }
}

class NotOfForm extends Error {}

function partIn({ type, value }: KeyLine): ValuePart {
  if (type === "string") return { type, elements: [wire(value as Word)] }
  if (type === "other") return { type, elements: [dumpOf(value)] }
  if (type === "stream") return streamPart(value as StreamValue)
  if (type === "list" || type === "set") return { type, elements: (value as readonly Word[]).map(wire) }
  return { type, elements: (value as readonly (readonly [Word, Word])[]).flatMap((pair) => pairOf(pair, type)) }
}

function required(isRight: boolean, why?: string): void {
  if (!isRight) throw new NotOfForm(why)
}

function pairOf(pair: readonly [Word, Word], type: "zset" | "hash"): [Wire, Wire] {
  required(Array.isArray(pair) && pair.length === 2)
  const [one, other] = pair
  if (type === "zset") required(typeof other === "string")
  return [wire(one), wire(other)]
}

function dumpOf(value: unknown): Buffer {
  const { dump } = value as { dump: string }
  required(typeof dump === "string" && hasOnly(value as object, DUMP))
  return Buffer.from(dump, "base64")
}

function streamPart(value: StreamValue): ValuePart {
  required(hasOnly(value, STREAM))
  const { entries, end } = value
  const elements = entries.map(([id, fields]): Reply => {
    required(Array.isArray(fields))
    return [id, fields.map(wire)]
  })
  if (end === undefined) return { type: "stream", elements }
  required(hasOnly(end, STREAM_END))
  for (const group of end.groups) {
    const { name, consumers, pending } = group
    required(hasOnly(group, GROUP))
    for (const word of [name, ...consumers, ...pending.map(([, consumer]) => consumer)]) wire(word)
  }
  return { type: "stream", elements, end }
}

function wire(word: Word): Wire {
  required(isWord(word))
  if (typeof word === "string") required(word.isWellFormed(), `its value has ${LONE_SURROGATE}`)
  return asWire(wireOf(word))
}

/**
 * Every text of a value without what Spring's serializer puts around it, unless the schema says that it belongs there.
 */
export function withoutClasses(part: ValuePart, row: Key | undefined): ValuePart {
  if (part.type === "other" || part.type === "stream" || (row !== undefined && isOfJackson(row))) return part
  const isScore = (i: number) => part.type === "zset" && i % 2 === 1
  return {
    ...part,
    elements: part.elements.map((one, i) => (typeof one === "string" && !isScore(i) ? fromJackson(one) : one)),
  }
}

const isOfJackson = ({ shape }: Key): boolean =>
  codecsIn(shape).some((one) => isQuoted(one) || (one.spec.codec === "json" && one.spec.jackson !== undefined))

/** The commands that write a part; the key is left out: it follows the name (for XGROUP, the second word). */
export function commandsFor({ type, elements, end }: ValuePart, isFirst: boolean): Command[] {
  const words = elements as readonly Wire[]
  switch (type) {
    case "string":
      return [["SET", words[0]!]]
    case "other":
      // Both callers have looked into it: `requireRestorable`.
      return [["RESTORE", "0", words[0]!]]
    case "list":
      return chunked("RPUSH", words)
    case "set":
      return chunked("SADD", words)
    case "hash":
      return chunked("HSET", words)
    case "zset":
      return chunked(
        "ZADD",
        words.map((_, i) => words[i % 2 === 0 ? i + 1 : i - 1]!),
      )
    case "stream": {
      const adds = elements.map((entry): Command => {
        const [id, fields] = entry as readonly [string, readonly Wire[]]
        return ["XADD", id, ...fields]
      })
      return [...(isFirst ? begun : []), ...adds, ...(end === undefined ? [] : ended(end))]
    }
  }
}

/** Makes a stream, even one without entries. */
const begun: readonly Command[] = [
  ["XGROUP CREATE", "keywright:import", "0", "MKSTREAM"],
  ["XGROUP DESTROY", "keywright:import"],
]

function ended({ lastId, added, maxDeletedId, groups }: StreamEnd): Command[] {
  const exact = added === undefined ? [] : ["ENTRIESADDED", String(added), "MAXDELETEDID", maxDeletedId ?? "0-0"]
  return [
    ["XSETID", lastId, ...exact],
    ...groups.flatMap(({ name, lastId: delivered, read, consumers, pending }): Command[] => [
      ["XGROUP CREATE", wireOf(name), delivered, ...(read === undefined ? [] : ["ENTRIESREAD", String(read)])],
      ...consumers.map((consumer): Command => ["XGROUP CREATECONSUMER", wireOf(name), wireOf(consumer)]),
      ...pending.map(([id, consumer, at, times]): Command => {
        const claim = ["TIME", String(at), "RETRYCOUNT", String(times), "FORCE", "JUSTID"]
        return ["XCLAIM", wireOf(name), wireOf(consumer), "0", id, ...claim]
      }),
    ]),
  ]
}

function chunked(name: string, words: readonly Wire[]): Command[] {
  const commands: Command[] = []
  for (let at = 0; at < words.length; at += MOST_WORDS) commands.push([name, ...words.slice(at, at + MOST_WORDS)])
  return commands
}
