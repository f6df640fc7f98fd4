/* Rows of a list of keys: type, TTL, size, and what each holds: the declared fields as cells, a plain
 * value as one cell, of a collection a short look at its first elements. A few round trips, whatever
 * the number of rows, and never more of a value than fits a cell. */

import type { Command, Reply, Wire } from "../../driver/driver.ts"
import { SAFE, SAFE_BYTES } from "../../driver/safe.ts"
import { KeywrightError } from "../../errors/error.ts"
import type { KeyModel } from "../../inspect/model/model.ts"
import { isRefusal, RefusedReads } from "../../inspect/walk/refusal.ts"
import { asWire, showWire } from "../../inspect/walk/wire.ts"
import type { AnyCodec, CodecFields } from "../../schema/codec/codec.ts"
import type { Cell, GridColumn, KeyRow } from "../api.ts"
import { type CellView, fieldCell, secretFieldsOf } from "./cell.ts"
import { cellText } from "./cell-text.ts"
import { holdsDocument } from "./edit/edit-form.ts"
import type { ListedKey } from "./list-keys.ts"
import type { OpenSystem } from "./open-system.ts"
import { LENGTHS } from "../../inspect/model/reading.ts"
import { tableOf } from "../../inspect/model/told-by-server.ts"
import { readElements } from "./read-elements.ts"
import { readFields } from "./read-key.ts"
import { relatedBy } from "./relations.ts"
import { SECRET } from "./shown.ts"

const MOST_COLUMNS = 40
const PREVIEW = 120
const FIRST_ELEMENTS = 3
/** Longer values are only shown on a page of their own. */
const MOST_DOCUMENT_BYTES = 65_536
const MOST_HASH_BYTES = 262_144
const MOST_PLAIN_BYTES = 4096
/** A list does not read elements of a large collection if they are this long on average. */
const MOST_ELEMENT_BYTES = 2048
const WORDS = tableOf<readonly [one: string, many: string]>({
  hash: ["field", "fields"],
  list: ["item", "items"],
  set: ["member", "members"],
  zset: ["member", "members"],
  stream: ["entry", "entries"],
})

/** What the cells of a pattern's rows are called; none where keys are only previewed. */
export function columnsOf(system: OpenSystem, row: KeyModel | undefined): readonly GridColumn[] {
  if (row === undefined || row.secret === true) return []
  const isRecord = row.declared.kind === "hash" || holdsDocument(row)
  if (isRecord) {
    const secret = secretFieldsOf(system, row)
    const parts = system.docKey(row)?.parts ?? []
    return parts.slice(0, MOST_COLUMNS).map(({ name, type, secret: own }) => ({
      name,
      type,
      secret: own || secret.has(name),
    }))
  }
  const codec = plainCodec(row)
  return codec === undefined ? [] : [{ name: "value", type: codec.name, secret: codec.secret === true }]
}

const plainCodec = ({ type, declared }: KeyModel): AnyCodec | undefined =>
  type === "string" && declared.kind !== "bitmap" && declared.kind !== "hyperloglog"
    ? (declared.shape["value"] as AnyCodec | undefined)
    : undefined

type Facts = Pick<KeyRow, "type" | "ttlMs" | "bytes">

export async function keyRows(
  system: OpenSystem,
  db: number,
  listed: readonly ListedKey[],
  columns: readonly GridColumn[],
): Promise<KeyRow[]> {
  if (listed.length === 0) return []
  const reads = listed.map(({ key }): Command[] => [
    ["TYPE", key],
    ["PTTL", key],
    ["MEMORY", "USAGE", key],
  ])
  const replies = await system.driverOf(db).batch(reads.flat(), SAFE)
  const rows = await Promise.all(
    listed.map(async ({ key, owner }, i): Promise<KeyRow[]> => {
      const answers = replies.slice(3 * i, 3 * i + 3)
      const [type, ttl, bytes] = answers
      if (type === "none") return []
      const facts: Facts = {
        type: typeof type === "string" ? type : "unreadable",
        ttlMs: typeof ttl === "number" && ttl >= 0 ? ttl : null,
        bytes: typeof bytes === "number" ? bytes : null,
      }
      const refused = new RefusedReads()
      refused.noteAll(reads[i]!, answers, key)
      const held = await heldBy({ system, db, owner, reveal: false, refused }, key, facts, columns)
      return [
        {
          ...system.link(db, key, owner?.row),
          params: owner === undefined ? {} : system.shownParams(owner),
          ...facts,
          ...held,
          ...refused.result(),
        },
      ]
    }),
  )
  return rows.flat()
}

type Held = Pick<KeyRow, "cells" | "preview">

/** A row as it is read: what the server refuses is noted in it. */
interface RowView extends CellView {
  readonly refused: RefusedReads
}

/** One round trip for each row, sent together with those of the others. */
async function heldBy(look: RowView, key: Wire, facts: Facts, columns: readonly GridColumn[]): Promise<Held> {
  const row = look.owner?.row
  const { type, bytes } = facts
  if (row !== undefined && row.type === type && columns.length > 0) {
    if (row.declared.kind === "hash") return hashCells(look, row, key, bytes, columns)
    if (holdsDocument(row)) return documentCells(look, key, columns)
    return plainCells(look, row, key)
  }
  return { preview: await previewOf(look, key, facts) }
}

async function hashCells(
  look: RowView,
  row: KeyModel,
  key: Wire,
  bytes: number | null,
  columns: readonly GridColumn[],
): Promise<Held> {
  if (bytes === null || bytes > MOST_HASH_BYTES) return { preview: await counted(look, key, "hash") }
  const codecs = row.declared.shape["fields"] as CodecFields
  const hidden = secretFieldsOf(look.system, row)
  const reply = await ask(look, ["HMGET", key, ...columns.map(({ name }) => name)])
  if (!Array.isArray(reply)) return {}
  const cells = columns.map(({ name, secret }, i): Cell => {
    const value = (reply as readonly Reply[])[i]
    if (value === null || value === undefined) return {}
    if (secret) return { decoded: SECRET, secret: true }
    const cell = fieldCell(look, codecs[name], value, hidden)
    const link = cell.link ?? relatedBy(look, name, cell.decoded)
    return { ...cell, ...(link && { link }) }
  })
  return { cells }
}

async function documentCells(look: RowView, key: Wire, columns: readonly GridColumn[]): Promise<Held> {
  const reply = await ask(look, ["GETRANGE", key, "0", String(MOST_DOCUMENT_BYTES - 1)])
  if (!(reply instanceof Uint8Array)) return {}
  if (reply.length >= MOST_DOCUMENT_BYTES) return { preview: await counted(look, key, "string") }
  const fields = readFields(look, reply)
  if (fields === undefined) return { preview: broken(look, reply) }
  const byName = new Map(fields.map((field) => [field.name, field.value]))
  return { cells: columns.map(({ name }) => byName.get(name) ?? {}) }
}

async function plainCells(look: RowView, row: KeyModel, key: Wire): Promise<Held> {
  const reply = await ask(look, ["GETRANGE", key, "0", String(MOST_PLAIN_BYTES - 1)])
  if (!(reply instanceof Uint8Array)) return {}
  if (reply.length >= MOST_PLAIN_BYTES) return { preview: await counted(look, key, "string") }
  return { cells: [fieldCell(look, plainCodec(row), reply, secretFieldsOf(look.system, row))] }
}

/** A value that its codec does not read is shown as it is stored, where it holds no secrets. */
const broken = (look: CellView, reply: Reply): string =>
  look.system.hides(look.owner) ? "not as declared" : previewText(reply)

async function previewOf(look: RowView, key: Wire, { type, bytes }: Facts): Promise<string> {
  if (LENGTHS[type] === undefined) return ""
  if (type === "string") {
    if (look.system.hides(look.owner)) return counted(look, key, type)
    return previewText(await ask(look, ["GETRANGE", key, "0", String(PREVIEW - 1)]))
  }
  if (look.system.hides(look.owner) && look.owner?.row.secret === true) return counted(look, key, type)
  const length = await ask(look, [LENGTHS[type], key])
  if (typeof length !== "number") return ""
  if (look.owner === undefined || bytes === null || bytes > MOST_ELEMENT_BYTES * Math.max(1, length))
    return countText(type, length)
  const read = await readElements(look, key, type, { limit: FIRST_ELEMENTS }).catch((error: unknown) => {
    if (!(error instanceof KeywrightError)) throw error
    if (isRefusal(error)) look.refused.note(["elements"], error, key)
  })
  if (read === undefined) return countText(type, length)
  const { rows, columns, total } = read
  const isIndexed = columns[0] === "index"
  const some = rows
    .slice(0, FIRST_ELEMENTS)
    .map(({ cells }) => (isIndexed ? cells.slice(1) : cells).map((cell) => cellText(cell)).join(": "))
  const text = some.join(", ").replace(/\s+/g, " ")
  const cut = text.length > PREVIEW ? `${text.slice(0, PREVIEW)}…` : text
  return total > some.length ? `${cut}, … ${countText(type, total)}` : cut
}

async function counted(look: RowView, key: Wire, type: string): Promise<string> {
  const count = await ask(look, [LENGTHS[type]!, key])
  return typeof count === "number" ? countText(type, count) : ""
}

function countText(type: string, count: number): string {
  const words = WORDS[type]
  return words === undefined ? `${count} bytes` : `${count} ${words[count === 1 ? 0 : 1]}`
}

const previewText = (reply: Reply): string =>
  reply instanceof Uint8Array
    ? showWire(asWire(reply.subarray(0, PREVIEW)))
        .replace(/\s+/g, " ")
        .replace(/\ufffd+$/, "")
    : ""

/** What goes wrong with one key (another type by now, no permission) does not spoil the list, but the row says what was refused. */
async function ask({ system, db, refused }: RowView, command: Command): Promise<Reply> {
  const replies = await system.driverOf(db).batch([command], SAFE_BYTES)
  refused.noteAll([command], replies, command[1]!)
  return replies[0] ?? null
}
