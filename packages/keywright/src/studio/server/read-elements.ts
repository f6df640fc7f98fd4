/* The elements of a collection as rows of a table, a page at a time: by rank or index
 * where there is an order, else as the server's own scan has them. Never all at once. */

import type { Driver, Reply, Wire } from "../../driver/driver.ts"
import { queryRefused } from "../../errors/studio.ts"
import { SAFE, SAFE_BYTES } from "../../driver/safe.ts"
import { hidesOrder } from "../../inspect/model/entity-model.ts"
import { LENGTHS } from "../../inspect/model/reading.ts"
import { tableOf } from "../../inspect/model/told-by-server.ts"
import { asWire, showWire } from "../../inspect/walk/wire.ts"
import type { AnyCodec, CodecFields } from "../../schema/codec/codec.ts"
import type { Kind } from "../../schema/define.ts"
import type { Cell, ElementsPage } from "../api.ts"
import { withValue } from "./edit/element-ref.ts"
import { cellOf, type CellView, fieldCell, hidesAll, secretFieldsOf } from "./cell.ts"
import { SECRET } from "./shown.ts"

interface ElementsRequest {
  readonly look: CellView
  readonly driver: Driver
  readonly key: Wire
  /** The codecs, where the type is the declared one. */
  readonly shape: Readonly<Record<string, unknown>>
  readonly kind: Kind | undefined
  /** Fields of documents that may not be shown. */
  readonly secret: ReadonlySet<string>
  readonly cursor: string | undefined
  readonly limit: number
}

type ElementsPart = Omit<ElementsPage, "total">

export async function readElements(
  look: CellView,
  key: Wire,
  type: string,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<ElementsPage> {
  const driver = look.system.driverOf(look.db)
  const row = look.owner?.row
  const fits = row?.type === type
  const asked: ElementsRequest = {
    look,
    driver,
    key,
    shape: fits ? row.declared.shape : {},
    kind: fits ? row.declared.kind : undefined,
    secret: fits ? secretFieldsOf(look.system, row) : new Set(),
    cursor,
    limit,
  }
  const read = READERS[type]
  if (read === undefined) return { columns: [], rows: [], next: undefined, total: 0, ordered: false }
  const [part, total] = await Promise.all([read(asked), driver.send([LENGTHS[type]!, key], SAFE)])
  return { ...part, total: Number(total) }
}

const READERS = tableOf<(asked: ElementsRequest) => Promise<ElementsPart>>({
  hash: readHash,
  set: readSet,
  zset: readZset,
  list: readList,
  stream: readStream,
})

/** A part of an element, such as its member: decoded, and without secret fields where it is a document. */
function partCell({ look, shape, secret }: ElementsRequest, name: string, reply: Reply): Cell {
  return fieldCell(look, shape[name] as AnyCodec | undefined, reply, secret)
}

const listed = async ({ driver }: ElementsRequest, ...command: readonly Wire[]): Promise<readonly Reply[]> =>
  (await driver.send(command, SAFE_BYTES)) as readonly Reply[]

async function scanned(
  asked: ElementsRequest,
  command: "HSCAN" | "SSCAN" | "ZSCAN",
): Promise<{ next: string | undefined; found: readonly Reply[] }> {
  const { key, cursor = "0", limit } = asked
  if (!/^\d{1,20}$/.test(cursor)) throw queryRefused("cursor", "it was not made by this studio")
  const [next, found] = (await listed(asked, command, key, cursor, "COUNT", String(limit))) as [Reply, readonly Reply[]]
  return { next: String(next) === "0" ? undefined : String(next), found }
}

async function readHash(asked: ElementsRequest): Promise<ElementsPart> {
  const { look, kind, shape } = asked
  const { next, found } = await scanned(asked, "HSCAN")
  const fields = shape["fields"] as CodecFields | undefined
  const rows = pairsOf(found).map(([name, value]) => {
    if (kind === "hash") {
      const text = showWire(asWire(name))
      const codec = fields && Object.hasOwn(fields, text) ? fields[text] : undefined
      const named = codec === undefined && hidesAll(look) ? secretCell : plainCell(text)
      return row(asked, name, [named, fieldCell(look, codec, value, asked.secret)])
    }
    const field = partCell(asked, "field", name)
    const element = kind === "map" ? withValue(name, value) : name
    return row(asked, element, [field, partCell(asked, "value", value)])
  })
  return { columns: ["field", "value"], rows, next, ordered: false }
}

async function readSet(asked: ElementsRequest): Promise<ElementsPart> {
  const { next, found } = await scanned(asked, "SSCAN")
  const rows = found.map((member) => row(asked, member, [partCell(asked, "member", member)]))
  return { columns: ["member"], rows, next, ordered: false }
}

async function readZset(asked: ElementsRequest): Promise<ElementsPart> {
  const { key, kind, limit, driver, look } = asked
  if (kind === "zset" && !look.reveal && hidesOrder(look.owner!.row)) return readUnordered(asked)
  const from = offsetOf(asked)
  const pairs = scoredPairs(await listed(asked, "ZRANGE", key, String(from), String(from + limit - 1), "WITHSCORES"))
  const next = pairs.length < limit ? undefined : String(from + limit)
  const members = pairs.map(([member]) => ({ member, cell: partCell(asked, "member", member) }))
  if (kind !== "geo") {
    const rows = members.map(({ member, cell }, i) => {
      const score = pairs[i]![1]
      const element = kind === "zset" ? withValue(member, score) : member
      return row(asked, element, [cell, partCell(asked, "score", score)])
    })
    return { columns: ["member", "score"], rows, next, ordered: true }
  }
  const places =
    pairs.length === 0
      ? []
      : ((await driver.send(["GEOPOS", key, ...pairs.map(([member]) => asWire(member))], SAFE)) as readonly Reply[])
  const rows = members.map(({ member, cell }, i) => {
    const [longitude = null, latitude = null] = (places[i] ?? []) as readonly Reply[]
    const cells = hidesAll(look) ? [secretCell, secretCell] : [numberCell(longitude), numberCell(latitude)]
    return row(asked, member, [cell, ...cells])
  })
  return { columns: ["member", "longitude", "latitude"], rows, next, ordered: true }
}

/** By members: their order would tell which of two secret scores is the greater. */
async function readUnordered(asked: ElementsRequest): Promise<ElementsPart> {
  const { next, found } = await scanned(asked, "ZSCAN")
  const rows = scoredPairs(found)
    .toSorted(([one], [other]) => Buffer.compare(Buffer.from(asWire(one)), Buffer.from(asWire(other))))
    .map(([member, score]) =>
      row(asked, withValue(member, score), [partCell(asked, "member", member), partCell(asked, "score", score)]),
    )
  return { columns: ["member", "score"], rows, next, ordered: false }
}

async function readList(asked: ElementsRequest): Promise<ElementsPart> {
  const { key, limit } = asked
  const from = offsetOf(asked)
  const found = await listed(asked, "LRANGE", key, String(from), String(from + limit - 1))
  const rows = found.map((item, i) => {
    const place = Buffer.concat([Buffer.from(`${from + i}:`), Buffer.from(asWire(item))])
    return row(asked, place, [plainCell(from + i), partCell(asked, "item", item)])
  })
  const next = found.length < limit ? undefined : String(from + limit)
  return { columns: ["index", "item"], rows, next, ordered: true }
}

type StreamEntry = readonly [id: Reply, words: readonly Reply[]]

/** The newest first. */
async function readStream(asked: ElementsRequest): Promise<ElementsPart> {
  const { look, key, shape, cursor, limit } = asked
  if (cursor !== undefined && !/^\d{1,20}-\d{1,20}$/.test(cursor))
    throw queryRefused("cursor", "it was not made by this studio")
  const last = cursor === undefined ? "+" : `(${cursor}`
  const found = (await listed(asked, "XREVRANGE", key, last, "-", "COUNT", String(limit))) as readonly StreamEntry[]
  const fields = (shape["fields"] ?? {}) as CodecFields
  const entries = found.map(([id, words]) => ({
    id: String(id),
    pairs: pairsOf(words).map(([name, value]) => [showWire(asWire(name)), value] as const),
  }))
  const others = entries.flatMap(({ pairs }) => pairs.map(([name]) => name)).filter((name) => !hidesName(asked, name))
  const names = [...new Set([...Object.keys(fields), ...others])].slice(0, 50)
  const rows = entries.map(({ id, pairs }) => {
    const values = new Map(pairs)
    const cells = names.map((name): Cell => {
      const value = values.get(name)
      const codec = Object.hasOwn(fields, name) ? fields[name] : undefined
      return value === undefined ? {} : fieldCell(look, codec, value, asked.secret)
    })
    return row(asked, id, [plainCell(id), ...cells])
  })
  const next = found.length < limit ? undefined : entries.at(-1)?.id
  return { columns: ["id", ...names], rows, next, ordered: true }
}

/** A name that nobody has declared may be anything, and in a key of another type it may be what that has for values. */
const hidesName = ({ look, kind }: ElementsRequest, name: string): boolean =>
  kind === undefined ? cellOf(look, undefined, name).secret === true : hidesAll(look)

function offsetOf({ cursor = "0" }: ElementsRequest): number {
  if (!/^\d{1,12}$/.test(cursor)) throw queryRefused("cursor", "it was not made by this studio")
  return Number(cursor)
}

const row = ({ look: { system, db, owner }, key }: ElementsRequest, element: Reply, cells: readonly Cell[]) => ({
  element: system.refOf(db, key, owner?.row, asWire(element)),
  cells,
})

const plainCell = (value: string | number): Cell => ({ decoded: value })
const secretCell: Cell = { decoded: SECRET, secret: true }
const numberCell = (reply: Reply): Cell => (reply === null ? {} : { decoded: Number(String(reply)) })

export const pairsOf = (flat: readonly Reply[]): (readonly [Reply, Reply])[] =>
  flat.flatMap((one, i) => (i % 2 === 0 ? [[one, flat[i + 1]!] as const] : []))

/** RESP3 answers WITHSCORES with nested pairs; drivers flatten them, and this accepts both. */
const scoredPairs = (found: readonly Reply[]): (readonly [Reply, Reply])[] =>
  Array.isArray(found[0])
    ? (found as readonly (readonly [Reply, Reply])[]).map(([member, score]) => [member, score])
    : pairsOf(found)
