/* One key as the page shows it: whose it is, what it holds, and what it leads to. */

import { documentSpec } from "../../schema/codec/document-spec.ts"
import { createHash } from "node:crypto"
import type { Command, Driver, Reply, Wire } from "../../driver/driver.ts"
import { version } from "../../client/entity/handed-out.ts"
import { KeywrightError } from "../../errors/error.ts"
import { SAFE, SAFE_BYTES } from "../../driver/safe.ts"
import { decodedOrNone } from "../../inspect/model/decoding.ts"
import { RefusedReads } from "../../inspect/walk/refusal.ts"
import { asWire, isText, showWire } from "../../inspect/walk/wire.ts"
import { ttlText } from "../../render/ttl-text.ts"
import type { AnyCodec, CodecFields } from "../../schema/codec/codec.ts"
import type { BytesSlice, Cell, FieldRow, FindingRow, KeyDetail } from "../api.ts"
import { documentCell, fieldCell, hidesAll, hasFields, type CellView, rawOf, secretFieldsOf } from "./cell.ts"
import { editsOf, holdsDocument } from "./edit/edit-form.ts"
import type { OpenSystem } from "./open-system.ts"
import { LENGTHS } from "../../inspect/model/reading.ts"
import { pairsOf, readElements } from "./read-elements.ts"
import { relatedBy, relationsOf } from "./relations.ts"
import { SECRET, shown } from "./shown.ts"

const STRING_BYTES = 65_536
const FIRST_ELEMENTS = 100
const MOST_FIELDS = 200

/** What is read of a key before its value. */
export type Facts = Pick<KeyDetail, "type" | "ttlMs" | "bytes" | "encoding" | "length" | "unreadable">

export async function factsOf(driver: Driver, key: Wire): Promise<Facts> {
  const reads: Command[] = [
    ["TYPE", key],
    ["PTTL", key],
    ["MEMORY", "USAGE", key],
    ["OBJECT", "ENCODING", key],
  ]
  const replies = await driver.batch(reads, SAFE)
  const [type, ttl, bytes, encoding] = replies
  const refused = new RefusedReads()
  refused.noteAll(reads, replies, key)
  if (type instanceof KeywrightError) throw type
  const measure = LENGTHS[String(type)]
  const length = measure === undefined ? null : await driver.send([measure, key], SAFE)
  return {
    type: String(type),
    ttlMs: typeof ttl === "number" && ttl >= 0 ? ttl : null,
    bytes: typeof bytes === "number" ? bytes : null,
    encoding: typeof encoding === "string" ? encoding : null,
    length: typeof length === "number" ? length : null,
    ...refused.result(),
  }
}

export const lookAt = (system: OpenSystem, db: number, key: Wire, reveal: boolean): CellView => ({
  system,
  db,
  owner: system.ownerOf(db, key),
  reveal,
})

export async function readKey(
  look: CellView,
  key: Wire,
  { write, findings }: { readonly write: boolean; readonly findings: readonly FindingRow[] },
): Promise<KeyDetail> {
  const { system, db, owner, reveal } = look
  const driver = system.driverOf(db)
  const facts = await factsOf(driver, key)
  const value = await valueOf(look, driver, key, facts)
  const row = owner?.row
  const link = system.link(db, key, row)
  const relations =
    facts.type === "none" && row?.declared.entity?.role !== "record" ? [] : await relationsOf(look, key, value.document)
  const entity = row?.declared.entity
  const params = owner === undefined ? {} : system.shownParams(owner, reveal)
  return {
    ...link,
    ...(reveal && { key: showWire(key) }),
    system: system.name,
    ...(row !== undefined && {
      pattern: row.declared.pattern,
      expectedType: row.type,
      kind: row.declared.kind,
      ttlRule: ttlText(row.declared.ttl, row.declared.family !== undefined),
      ...(row.declared.doc !== undefined && { doc: row.declared.doc }),
    }),
    params,
    ...facts,
    at: new Date().toISOString(),
    ...(value.value && { value: value.value }),
    ...(value.fields && { fields: value.fields }),
    ...(value.elements && { elements: value.elements }),
    ...(entity !== undefined && {
      entity: {
        name: entity.name,
        role: entity.role,
        ...(entity.role === "record" && { id: params[row!.params.at(-1)!] }),
      } as NonNullable<KeyDetail["entity"]>,
    }),
    relations,
    findings,
    hidden: !reveal && (link.ref.startsWith("~") || hidesSome(value)),
    edits: write ? editsOf(look, facts.type) : [],
    seen: system.sealSeen(db, key, value.seen),
  }
}

interface Value {
  readonly value?: Cell
  readonly fields?: readonly FieldRow[]
  readonly elements?: KeyDetail["elements"]
  /** For a record: for its relations, with its secrets. */
  readonly document?: Readonly<Record<string, unknown>>
  readonly seen: string
}

const hidesSome = ({ value, fields, elements }: Value): boolean =>
  value?.secret === true ||
  fields?.some((one) => one.value.secret) === true ||
  elements?.rows.some(({ cells }) => cells.some(({ secret }) => secret)) === true

async function valueOf(look: CellView, driver: Driver, key: Wire, { type, length }: Facts): Promise<Value> {
  const row = look.owner?.row
  if (type === "none") return { seen: "none" }
  if (type === "string") {
    const reply = await driver.send(["GETRANGE", key, "0", String(STRING_BYTES - 1)], SAFE_BYTES)
    return ofString(look, reply, length ?? 0)
  }
  if (type === "hash" && row?.declared.kind === "hash" && (length ?? 0) <= MOST_FIELDS) {
    return ofHash(look, (await driver.send(["HGETALL", key], SAFE_BYTES)) as readonly Reply[])
  }
  const elements = await readElements(look, key, type, { limit: FIRST_ELEMENTS })
  return { elements, seen: `${type} ${length}` }
}

function ofString(look: CellView, reply: Reply, length: number): Value {
  const row = look.owner?.row
  const raw = asWire(reply)
  const codec = row?.type === "string" ? (row.declared.shape["value"] as AnyCodec | undefined) : undefined
  const isCut = length > STRING_BYTES
  const seen = seenString(raw, length)
  if (hidesAll(look)) return { value: { decoded: SECRET, secret: true, ...(codec && { codec: codec.name }) }, seen }
  if (isCut || codec === undefined) {
    const holdsSecrets = row !== undefined && look.system.holdsSecrets(row)
    if (!look.reveal && holdsSecrets) return { value: { decoded: SECRET, secret: true }, seen }
    return { value: { raw: { ...rawOf(raw, STRING_BYTES), bytes: length, cut: isCut } }, seen }
  }
  const { value: document, open, ...cell } = documentCell(look, codec, raw, secretFieldsOf(look.system, row!))
  if (documentSpec(codec.spec) === undefined || !hasFields(document)) return { value: cell, seen }
  // A dictionary has no declared fields: it is a value.
  const fields = holdsDocument(row!) && hasFields(open) && open !== SECRET ? documentFields(look, open) : undefined
  return { value: cell, ...(fields && { fields }), document, seen }
}

/** The fields of a JSON document in a list; undefined where it is not one. */
export function readFields(look: CellView, reply: Reply): readonly FieldRow[] | undefined {
  return ofString(look, reply, 0).fields
}

/** The fields of a JSON document, of which secrets are hidden: declared ones first. */
function documentFields(look: CellView, document: Readonly<Record<string, unknown>>): FieldRow[] {
  const { system, reveal } = look
  const row = look.owner!.row
  const declared = system.docKey(row)?.parts ?? []
  const secret = secretFieldsOf(system, row)
  const names = [...new Set([...declared.map(({ name }) => name), ...Object.keys(document)])]
  return names.slice(0, MOST_FIELDS).map((name) => {
    const known = declared.find((one) => one.name === name)
    const isThere = Object.hasOwn(document, name) && document[name] !== undefined
    const inner = document[name]
    const hides = !reveal && (secret.has(name) || known?.secret === true)
    const link = isThere && !hides ? relatedBy(look, name, inner) : undefined
    const value: Cell = !isThere
      ? {}
      : hides
        ? { decoded: SECRET, secret: true }
        : hidesPart(inner)
          ? { decoded: shown(inner), secret: true }
          : { decoded: shown(inner), raw: rawOf(JSON.stringify(inner) ?? "", 4096), ...(link && { link }) }
    return {
      name,
      value,
      type: known?.type ?? "",
      declared: known !== undefined,
      missing: !isThere && known !== undefined && !known.optional,
    }
  })
}

const hidesPart = (value: unknown): boolean =>
  value === SECRET || (typeof value === "object" && value !== null && Object.values(value).some(hidesPart))

function ofHash(look: CellView, reply: readonly Reply[]): Value {
  const row = look.owner!.row
  const codecs = row.declared.shape["fields"] as CodecFields
  const found = new Map(pairsOf(reply).map(([name, value]) => [showWire(asWire(name)), value]))
  const secret = secretFieldsOf(look.system, row)
  const document: Record<string, unknown> = {}
  // A name that nobody has declared may be anything.
  const names = [...new Set([...Object.keys(codecs), ...(hidesAll(look) ? [] : found.keys())])]
  const fields = names.map((name): FieldRow => {
    const codec = Object.hasOwn(codecs, name) ? codecs[name] : undefined
    const value = found.get(name)
    const hides = !look.reveal && secret.has(name)
    const cell =
      value === undefined
        ? {}
        : hides
          ? ({ decoded: SECRET, secret: true } as const)
          : fieldCell(look, codec, value, secret)
    const decoded = value === undefined || codec === undefined ? undefined : decodedOrNone(codec, value)
    if (value !== undefined && codec !== undefined) document[name] = decoded
    const link = hides || cell.link !== undefined ? undefined : relatedBy(look, name, decoded)
    return {
      name,
      value: { ...cell, ...(link && { link }) },
      type: codec?.name ?? "",
      declared: codec !== undefined,
      missing: value === undefined && codec !== undefined && codec.optional !== true,
    }
  })
  return { fields, document, seen: version(reply.map(String)) }
}

/** How the beginning of a string was seen: its version, or a digest where it is not text, or not complete. */
export const seenString = (raw: Wire, length: number): string =>
  isText(raw) && length <= STRING_BYTES
    ? version(raw)
    : `${length} ${createHash("sha1").update(raw).digest("hex").slice(0, 16)}`

/** A part of a string, as it is stored. */
export async function readBytes(
  look: CellView,
  key: Wire,
  from: number,
  count: number,
): Promise<BytesSlice | undefined> {
  if (!look.reveal && look.system.hides(look.owner)) return undefined
  const driver = look.system.driverOf(look.db)
  const [length, reply] = await driver.batch(
    [
      ["STRLEN", key],
      ["GETRANGE", key, String(from), String(from + count - 1)],
    ],
    SAFE_BYTES,
  )
  for (const one of [length, reply]) if (one instanceof KeywrightError) throw one
  const bytes = Buffer.from(reply as Uint8Array)
  const text = asWire(bytes)
  const end = from + bytes.length
  return {
    from,
    base64: bytes.toString("base64"),
    ...(isText(text) && { text }),
    bytes: Number(length),
    next: end < Number(length) && bytes.length > 0 ? end : undefined,
  }
}
