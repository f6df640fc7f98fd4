/* The value of a key as it goes into an export: in parts, each of them elements as they
 * are on the server. The same form is compared after an import. */

import type { CallOptions, Command, Driver, Reply, Wire } from "../../driver/driver.ts"
import { ScanCursor } from "../../driver/scan-cursor.ts"
import { type KeyScan, scanKey } from "../../driver/scan-key.ts"
import { listChanging } from "../../errors/inspect.ts"
import { KeywrightError } from "../../errors/error.ts"
import { hasMangled, unmangled } from "../../inspect/model/reading.ts"
import { SAFE, SAFE_BYTES } from "../../driver/safe.ts"
import { isRefusal } from "../../inspect/walk/refusal.ts"
import { asWire, sizeOfReply, wireName } from "../../inspect/walk/wire.ts"
import { feed, type KeyDigest, spellScore } from "./digest.ts"
import type { LineWriter } from "./line-writer.ts"
import { lineWord, type KeyType, type LineValue, type StreamEnd } from "./lines.ts"
import { streamEnd } from "./stream-end.ts"

/** Elements of one line; what is longer is read in parts. */
export const PART = 5000
/** Sets, hashes and sorted sets up to this size are read at once: what SCAN returns in parts may be repeated. */
const AT_ONCE = 100_000
/** Lists of up to about this many characters, too. */
const AT_ONCE_CHARACTERS = 32_000_000

export interface ValuePart {
  readonly type: KeyType
  readonly elements: readonly Reply[]
  readonly end?: StreamEnd
}

const TYPES = new Set<unknown>(["string", "list", "set", "zset", "hash", "stream"])

export const typeOf = (reply: Reply): KeyType => (TYPES.has(reply) ? (reply as KeyType) : "other")

/** What reads a value, or the first part of it. */
export function firstRead(type: KeyType, key: Wire): Command {
  switch (type) {
    case "string":
      return ["GET", key]
    case "list":
      return ["LRANGE", key, "0", String(PART - 1)]
    case "set":
      return ["SSCAN", key, "0", "COUNT", "1000"]
    case "zset":
      return ["ZRANGE", key, "0", String(PART - 1), "WITHSCORES"]
    case "hash":
      return ["HSCAN", key, "0", "COUNT", "1000"]
    case "stream":
      return ["XRANGE", key, "-", "+", "COUNT", String(PART)]
    default:
      return ["DUMP", key]
  }
}

/** The elements of a first reply when it is all there is; undefined when there is more, or when it has to be read again as bytes. */
export function wholeOf(type: KeyType, reply: Reply): readonly Reply[] | undefined {
  if (type === "stream" || type === "other" || hasMangled(reply)) return undefined
  if (type === "string") return [reply]
  if (type === "set" || type === "hash") {
    const [cursor, elements] = reply as [Reply, readonly Reply[]]
    return String(cursor) === "0" ? elements : undefined
  }
  const elements = reply as readonly Reply[]
  return elements.length < (type === "zset" ? 2 * PART : PART) ? elements : undefined
}

/** Every part of a value. Nothing when the key has gone, or has become something else. */
export async function* readValueParts(driver: Driver, key: Wire, type: KeyType): AsyncGenerator<ValuePart> {
  if (type === "set" || type === "hash" || type === "zset") yield* scanned(driver, key, type)
  else if (type === "stream") yield* streamed(driver, key)
  else if (type === "list") yield* listed(driver, key)
  else {
    const reply = await read(driver, firstRead(type, key), type === "other")
    if (reply !== null && reply !== undefined) yield { type, elements: [reply] }
  }
}

/** In one step, where that fits into memory: the places of a list move with each element that is taken from its head. */
async function* listed(driver: Driver, key: Wire): AsyncGenerator<ValuePart> {
  const type = "list"
  const begin = await read(driver, firstRead(type, key))
  const size = await read(driver, ["LLEN", key])
  if (!Array.isArray(begin) || begin.length === 0 || typeof size !== "number") return
  if ((sizeOfReply(begin) / begin.length) * size <= AT_ONCE_CHARACTERS) {
    const all = begin.length < PART ? begin : await read(driver, ["LRANGE", key, "0", "-1"])
    if (Array.isArray(all)) yield* inParts(type, all, PART)
    return
  }
  yield { type, elements: begin }
  const place = new ScanCursor("LRANGE")
  let last = begin.at(-1) as Wire
  for (let from = PART, before = size; place.advance(from, PART); from += PART) {
    if (place.isLong) await place.requireRoom(driver)
    const found = await read(driver, ["LRANGE", key, String(from - 1), String(from + PART - 1)])
    const now = await read(driver, ["LLEN", key])
    const [same, ...elements] = (found ?? []) as Wire[]
    if (same === undefined || wireName(same) !== wireName(last) || !(Number(now) >= before)) throw listChanging()
    if (elements.length > 0) yield { type, elements }
    if (elements.length < PART) return
    last = elements.at(-1)!
    before = Number(now)
  }
}

function* inParts(type: KeyType, all: readonly Reply[], length: number): Generator<ValuePart> {
  for (let at = 0; at < all.length; at += length) yield { type, elements: all.slice(at, at + length) }
}

/** How many there are, all of them, and some after others. A member of a sorted set has no fixed place in its order. */
const READS = {
  set: { width: 1, size: "SCARD", all: (key: Wire) => ["SMEMBERS", key], scan: "SSCAN" },
  hash: { width: 2, size: "HLEN", all: (key: Wire) => ["HGETALL", key], scan: "HSCAN" },
  zset: { width: 2, size: "ZCARD", all: (key: Wire) => ["ZRANGE", key, "0", "-1", "WITHSCORES"], scan: "ZSCAN" },
} as const

async function* scanned(driver: Driver, key: Wire, type: "set" | "hash" | "zset"): AsyncGenerator<ValuePart> {
  const { width, size, all, scan } = READS[type]
  const count = await read(driver, [size, key])
  if (typeof count === "number" && count <= AT_ONCE) {
    yield* inParts(type, ((await read(driver, all(key))) ?? []) as readonly Reply[], width * PART)
    return
  }
  const seen = new Set<string>()
  const page: KeyScan["page"] = async (cursor, heard) => {
    const reply = await read(driver, [scan, key, cursor, "COUNT", String(PART)], false, heard)
    if (!Array.isArray(reply)) return undefined
    const [next, found] = reply as [Reply, readonly Reply[]]
    return [String(asWire(next)), found]
  }
  for await (const found of scanKey({ driver, key, name: scan, count: PART, page })) {
    const fresh = unseen(found, width, seen)
    if (fresh.length > 0) yield { type, elements: fresh }
  }
}

/** Members, or pairs of a field and its value, that have not come before. */
function unseen(found: readonly Reply[], width: number, seen: Set<string>): Reply[] {
  const fresh: Reply[] = []
  for (let i = 0; i < found.length; i += width) {
    const name = wireName(found[i] as Wire)
    if (seen.has(name)) continue
    seen.add(name)
    fresh.push(...found.slice(i, i + width))
  }
  return fresh
}

async function* streamed(driver: Driver, key: Wire): AsyncGenerator<ValuePart> {
  let from = "-"
  const place = new ScanCursor("XRANGE")
  for (;;) {
    const entries = await read(driver, ["XRANGE", key, from, "+", "COUNT", String(PART)])
    if (!Array.isArray(entries)) return
    const isLast = entries.length < PART
    const elements = entries as readonly (readonly Reply[])[]
    if (!isLast) from = `(${String(elements.at(-1)![0])}`
    const end = isLast ? await streamEnd(driver, key) : undefined
    if (isLast && end === undefined) return
    yield { type: "stream", elements, ...(end !== undefined && { end }) }
    if (isLast) return
    place.advance(from, elements.length)
    if (place.isLong) await place.requireRoom(driver)
  }
}

/** Text where it is text. Undefined when the key has become another type; throws when it could not be read. */
async function read(driver: Driver, command: Command, bytes = false, heard?: CallOptions): Promise<Reply | undefined> {
  if (!bytes) {
    const [reply] = await driver.batch([command], { ...SAFE, ...heard })
    if (isRefusal(reply)) throw reply
    if (reply instanceof KeywrightError) return undefined
    if (!hasMangled(reply!)) return reply
  }
  const [raw] = await driver.batch([command], { ...SAFE_BYTES, ...heard })
  if (isRefusal(raw)) throw raw
  if (raw instanceof KeywrightError) return undefined
  return bytes ? raw : unmangled(raw!)
}

export function digestPart(digest: KeyDigest, { type, elements, end }: ValuePart): void {
  const wire = (at: number) => elements[at] as Wire
  if (type === "hash") for (let i = 0; i + 1 < elements.length; i += 2) digest.add(wire(i), wire(i + 1))
  else if (type === "zset")
    for (let i = 0; i + 1 < elements.length; i += 2) digest.add(wire(i), spellScore(String(elements[i + 1])))
  else if (type === "stream") {
    for (const entry of elements) {
      const [id, fields] = entry as readonly [Reply, readonly Reply[]]
      digest.add(String(id), ...(fields as readonly Wire[]))
    }
    if (end !== undefined) digest.add(JSON.stringify([end.lastId, end.groups.map(comparable)]))
  } else for (let i = 0; i < elements.length; i++) digest.add(wire(i))
}

/** What an import can restore of a consumer group. */
const comparable = ({ name, lastId, consumers, pending }: StreamEnd["groups"][number]): unknown => [
  name,
  lastId,
  [...consumers].map((one) => JSON.stringify(one)).sort(),
  pending.map(([id, consumer, , times]) => [id, consumer, times]),
]

/** Writes a part in the form it has in a line, and adds it to the digest of its key. */
export function writeValue(lines: LineWriter, digest: KeyDigest, part: ValuePart): void {
  const { type, elements } = part
  if (type === "stream" || type === "other") {
    digestPart(digest, part)
    lines.json(type === "stream" ? streamValue(part) : { dump: base64(elements[0] as Uint8Array) })
    return
  }
  if (type === "string") {
    lines.word(elements[0] as Wire, digest)
    digest.next()
    return
  }
  const width = type === "zset" || type === "hash" ? 2 : 1
  lines.plain("[")
  for (let i = 0; i + width <= elements.length; i += width) {
    if (i > 0) lines.plain(",")
    if (width === 2) lines.plain("[")
    lines.word(elements[i] as Wire, digest)
    if (type === "hash") {
      lines.plain(",")
      lines.word(elements[i + 1] as Wire, digest)
    } else if (type === "zset") {
      const score = String(elements[i + 1])
      const spelled = spellScore(score)
      feed(digest, spelled)
      lines.plain(",")
      // A number that we have spelled ourselves; anything else may be any text, if the server lies.
      if (spelled === score) lines.plain(`"${score}"`)
      else lines.json(score)
    }
    if (width === 2) lines.plain("]")
    digest.next()
  }
  lines.plain("]")
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64")

function streamValue({ elements, end }: ValuePart): LineValue {
  const entries = elements.map((entry) => {
    const [id, fields] = entry as readonly [Reply, readonly Reply[]]
    return [String(id), fields.map((field) => lineWord(field as Wire))] as const
  })
  return end === undefined ? { entries } : { entries, end }
}
