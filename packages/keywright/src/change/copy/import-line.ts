/* A line of an export as what it says, and as the commands that write it. */

import type { Command, Reply, Wire } from "../../driver/driver.ts"
import { importRefused } from "../../errors/change.ts"
import { wireOf, type Word } from "../word.ts"
import { asWire } from "../../inspect/wire.ts"
import { fromJackson } from "./jackson.ts"
import type { ValuePart } from "./key-value.ts"
import type { Closing, KeyLine, Manifest, StreamEnd, StreamValue } from "./lines.ts"

/** Words of one command: a script cannot take many more. */
const MOST = 1000

const TYPES = new Set<unknown>(["string", "list", "set", "zset", "hash", "stream", "other"])

export function readLine(text: string, number: number): KeyLine | Closing {
  let line: unknown
  try {
    line = JSON.parse(text)
  } catch {
    throw importRefused(number, "it is not JSON")
  }
  if (typeof line !== "object" || line === null) throw importRefused(number, "it is no object")
  if ((line as Closing).end === true) return line as Closing
  const { db, key, type } = line as Partial<KeyLine>
  if (!Number.isInteger(db) || !isWord(key) || !TYPES.has(type)) throw importRefused(number, "it is no key")
  return line as KeyLine
}

export function readManifest(text: string): Manifest {
  const manifest = parsed(text) as Partial<Manifest> | undefined
  if (manifest?.format !== "keywright-export") throw importRefused(1, "it does not begin an export")
  if (manifest.version !== 1) throw importRefused(1, `its version is ${String(manifest.version)}, and 1 is known`)
  return manifest as Manifest
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // Said as what it is: not the beginning of an export.
  }
}

const isWord = (word: unknown): word is Word =>
  typeof word === "string" ||
  (typeof word === "object" && word !== null && typeof (word as { base64?: unknown }).base64 === "string")

/** The elements of a line's value, as the server would give them. */
export function partOfLine({ type, value }: KeyLine, number: number): ValuePart {
  try {
    if (type === "string") return { type, elements: [wire(value as Word)] }
    if (type === "other") return { type, elements: [Buffer.from((value as { dump: string }).dump, "base64")] }
    if (type === "stream") {
      const { entries, end } = value as StreamValue
      const elements = entries.map(([id, fields]): Reply => [id, fields.map(wire)])
      return { type, elements, ...(end !== undefined && { end }) }
    }
    if (type === "list" || type === "set") return { type, elements: (value as readonly Word[]).map(wire) }
    return {
      type,
      elements: (value as readonly (readonly [Word, Word])[]).flatMap(([one, other]) => [wire(one), wire(other)]),
    }
  } catch {
    throw importRefused(number, `its value is not that of a ${type}`)
  }
}

function wire(word: Word): Wire {
  if (!isWord(word)) throw new TypeError("no word")
  return asWire(wireOf(word))
}

/** Every text of a value without what Spring's serializer puts around it. */
export function withoutClasses(part: ValuePart): ValuePart {
  if (part.type === "other" || part.type === "stream") return part
  const isScore = (i: number) => part.type === "zset" && i % 2 === 1
  return {
    ...part,
    elements: part.elements.map((one, i) => (typeof one === "string" && !isScore(i) ? fromJackson(one) : one)),
  }
}

/** The commands that write a part; the key is left out: it stands after the name (of XGROUP, after its second word). */
export function commandsFor({ type, elements, end }: ValuePart, isFirst: boolean): Command[] {
  const words = elements as readonly Wire[]
  switch (type) {
    case "string":
      return [["SET", words[0]!]]
    case "other":
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
  for (let at = 0; at < words.length; at += MOST) commands.push([name, ...words.slice(at, at + MOST)])
  return commands
}
