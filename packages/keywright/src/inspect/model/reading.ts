/* How a key of each kind is read: small ones at once with all others of a page,
 * large ones in parts, so that neither the server nor the memory notices them. */

import type { CallOptions, Command, Driver, Reply, Wire } from "../../driver/driver.ts"
import { ScanCursor } from "../../driver/scan-cursor.ts"
import { type KeyScan, scanKey } from "../../driver/scan-key.ts"
import { KeywrightError } from "../../errors/error.ts"
import type { RedisType } from "../../schema/define.ts"
import { TextSet } from "../walk/text-set.ts"
import { asWire, maybeMangled, wireName } from "../walk/wire.ts"
import { SAFE, SAFE_BYTES } from "../../driver/safe.ts"
import type { KeyModel } from "./model.ts"
import { tableOf } from "./told-by-server.ts"

/** By Redis type: the command that says how long a value is. */
export const LENGTHS = tableOf({
  string: "STRLEN",
  hash: "HLEN",
  list: "LLEN",
  set: "SCARD",
  zset: "ZCARD",
  stream: "XLEN",
})

/** Strings up to this length are read with all others. */
export const SHORT_BYTES = 65_536
const PART = 1000

/** The first part of a key's value. */
export function firstRead(row: KeyModel, key: string): Command {
  switch (row.declared.kind) {
    case "string":
    case "counter":
      return ["GETRANGE", key, "0", String(SHORT_BYTES - 1)]
    case "bitmap":
    case "hyperloglog":
      return ["GETRANGE", key, "0", "3"]
    default:
      return partRead(row, key, "0", 0)
  }
}

/** Types that are read by a cursor: the command, and how many replies make an element. */
const SCANNED: Partial<Record<RedisType, readonly [command: string, width: 1 | 2]>> = {
  hash: ["HSCAN", 2],
  set: ["SSCAN", 1],
  zset: ["ZSCAN", 2],
}

function partRead({ type }: KeyModel, key: string, cursor: string, offset: number): Command {
  const [scan] = SCANNED[type] ?? []
  if (scan !== undefined) return [scan, key, cursor, "COUNT", String(PART)]
  if (type === "list") return ["LRANGE", key, String(offset), String(offset + PART - 1)]
  return ["XRANGE", key, cursor === "0" ? "-" : `(${cursor}`, "+", "COUNT", String(PART)]
}

/** A part of a value: its elements, and where the next part begins. */
export interface ValuePart {
  readonly elements: readonly Reply[]
  /** Undefined when this was the last one. */
  readonly next: string | undefined
}

export function partOf({ type }: KeyModel, reply: Reply): ValuePart {
  switch (type) {
    case "hash":
    case "set":
    case "zset": {
      const [cursor, elements] = reply as [Reply, readonly Reply[]]
      const next = String(cursor)
      return { elements, next: next === "0" ? undefined : next }
    }
    case "list":
      return { elements: reply as readonly Reply[], next: (reply as readonly Reply[]).length < PART ? undefined : "+" }
    case "stream": {
      const entries = reply as readonly (readonly Reply[])[]
      return { elements: entries, next: entries.length < PART ? undefined : String(entries.at(-1)![0]) }
    }
    default:
      return { elements: [reply], next: isCut(reply) ? "+" : undefined }
  }
}

const isCut = (reply: Reply): boolean =>
  typeof reply === "string"
    ? reply.length * 3 >= SHORT_BYTES && Buffer.byteLength(reply) >= SHORT_BYTES - 3
    : reply instanceof Uint8Array && reply.length === SHORT_BYTES

/**
 * Every further part of a collection, the next one is requested while this one is processed. Ends early when the key
 * disappears or changes its type.
 */
export function furtherParts(driver: Driver, row: KeyModel, key: string, first: ValuePart): AsyncGenerator<ValuePart> {
  const [, width] = SCANNED[row.type] ?? []
  return ahead(
    width === undefined ? partsInOrder(driver, row, key, first.next) : newParts(driver, row, key, first, width),
  )
}

/** From the beginning, since the cursor of the first part may be that of another process; without what is known. */
async function* newParts(
  driver: Driver,
  row: KeyModel,
  key: string,
  first: ValuePart,
  width: number,
): AsyncGenerator<ValuePart> {
  const seen = new TextSet()
  const unseen = (elements: readonly Reply[]): readonly Reply[] => {
    const fresh: Reply[] = []
    for (let i = 0; i < elements.length; i += width) {
      const before = seen.size
      seen.add(wireName(elements[i] as Wire))
      if (seen.size > before) fresh.push(...elements.slice(i, i + width))
    }
    return fresh
  }
  unseen(first.elements)
  const page: KeyScan["page"] = async (cursor, heard) => {
    const reply = await readAs(driver, row, partRead(row, key, cursor, 0), heard)
    if (reply instanceof KeywrightError) return undefined
    const { elements, next = "0" } = partOf(row, reply)
    return [next, elements]
  }
  for await (const found of scanKey({ driver, key, name: "reading a key in parts", count: PART, page })) {
    const elements = unseen(found)
    if (elements.length > 0) yield { elements, next: "+" }
  }
}

async function* partsInOrder(
  driver: Driver,
  row: KeyModel,
  key: string,
  next: string | undefined,
): AsyncGenerator<ValuePart> {
  let cursor = next
  const place = new ScanCursor("reading a key in parts", next)
  for (let offset = PART; cursor !== undefined; offset += PART) {
    const reply = await readAs(driver, row, partRead(row, key, cursor, offset))
    if (reply instanceof KeywrightError) return
    const part = partOf(row, reply)
    cursor = part.next
    if (cursor !== undefined) {
      place.advance(cursor === "+" ? offset : cursor, Math.max(PART, part.elements.length))
      if (place.isLong) await place.requireRoom(driver)
    }
    if (part.elements.length > 0) yield part
  }
}

/** The next one is requested while this one is processed. */
async function* ahead<T>(all: AsyncGenerator<T>): AsyncGenerator<T> {
  let asked = all.next()
  for (;;) {
    const { done, value } = await asked
    if (done === true) return
    asked = all.next()
    asked.catch(() => undefined) // Its callers learn of the failure.
    yield value
  }
}

/** One read, as bytes where the codecs want bytes or the text may be mangled. */
export async function readAs(driver: Driver, row: KeyModel, command: Command, heard?: CallOptions): Promise<Reply> {
  if (!row.bytes) {
    const [reply] = await driver.batch([command], { ...SAFE, ...heard })
    if (reply instanceof KeywrightError || !hasMangled(reply!)) return reply!
  }
  const [raw] = await driver.batch([command], { ...SAFE_BYTES, ...heard })
  return row.bytes ? raw! : unmangled(raw!)
}

/** Some text in the reply may come from bytes that are not text. */
export const hasMangled = (reply: Reply): boolean =>
  typeof reply === "string" ? maybeMangled(reply) : Array.isArray(reply) && reply.some(hasMangled)

/** Bytes as text, unless they are not valid text. */
export const unmangled = (reply: Reply): Reply =>
  reply instanceof Uint8Array ? asWire(reply) : Array.isArray(reply) ? reply.map(unmangled) : reply
