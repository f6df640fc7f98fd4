/* An entity as the audit sees it: how a record is read, and which index entries a
 * document has. Written apart from the code that saves records, so that a fault
 * there cannot hide itself here. */

import type { Command, Reply } from "../../driver/driver.ts"
import type { AnyCodec, Codec, CodecFields, TextCodec } from "../../schema/codec/codec.ts"
import type { Entity, Index } from "../../schema/entity.ts"
import type { ParamTexts } from "../../client/entity/expiry.ts"
import { longestLife } from "../../schema/ttl.ts"
import { asWire, wireName } from "../walk/wire.ts"
import { decode, unlessRefused } from "./decoding.ts"
import { type IdText, idTextOf } from "./id-text.ts"
import type { KeyModel } from "./model.ts"
import { isSecretField } from "./secret-fields.ts"

export type Document = Readonly<Record<string, unknown>>
export type { ParamTexts }

export interface EntityModel {
  readonly name: string
  readonly entity: Entity
  readonly record: KeyModel
  readonly list: KeyModel | undefined
  readonly counter: KeyModel | undefined
  readonly indexes: readonly IndexModel[]
  readonly idField: string
  /** Parameters of the record's key besides the id: those of the scopes around it. */
  readonly bound: readonly string[]
  readonly expires: boolean
  /** How its ids are stored in the list, in sets and in unique indexes. */
  readonly idText: IdText
  /** The text before and after the id in a record's key. */
  headOf(bound: ParamTexts): string
  readonly tail: string
  keyOf(id: string, bound: ParamTexts): string
  read(key: string): Command
  /** The result of `read` as a document; undefined when it is not a document, or missing. */
  document(reply: Reply): Document | undefined
}

/** One key pattern of an index: the index itself, or a mirror of it. */
export interface IndexModel {
  readonly label: string
  readonly index: Index
  readonly kind: "unique" | "set" | "zset"
  readonly area: "UNIQUE" | "INDEX" | "MIRROR"
  readonly row: KeyModel
}

export function entityModel(entity: Entity, name: string, rows: ReadonlyMap<string, KeyModel>): EntityModel {
  const record = rows.get(name)!
  const { idField } = entity
  const bound = record.params.filter((param) => param !== idField)
  const { store } = entity
  const fields = record.declared.shape["fields"] as CodecFields
  const of = (indexes: Readonly<Record<string, Index>>, unique: boolean): IndexModel[] =>
    Object.entries(indexes).flatMap(([label, index]) =>
      index.patterns.map((_, i) => ({
        label,
        index,
        kind: unique ? "unique" : index.score === undefined ? "set" : "zset",
        area: i > 0 ? "MIRROR" : unique ? "UNIQUE" : "INDEX",
        row: rows.get(i === 0 ? `${name}#${label}` : `${name}#${label}~${i}`)!,
      })),
    )
  // The id is the last parameter: everything before it is the head.
  const last = record.parts.length - 2
  const tail = record.parts[last + 1]!
  const literal = record.parts.length === 3 ? record.parts[0]! : undefined
  const headOf = (texts: ParamTexts): string => {
    if (literal !== undefined) return literal
    let head = record.parts[0]!
    for (let i = 1; i < last; i += 2) head += (texts[record.parts[i]!] ?? "") + record.parts[i + 1]!
    return head
  }
  return {
    name,
    entity,
    record,
    list: rows.get(`${name}#all`),
    counter: rows.get(`${name}#counter`),
    indexes: [...of(entity.unique, true), ...of(entity.index, false)],
    idField,
    bound,
    expires: longestLife(record.declared.ttl) !== undefined,
    idText: idTextOf(heldCodec(rows, name, entity)),
    headOf,
    tail,
    keyOf: (id, texts) => headOf(texts) + id + tail,
    read: (key) => (store.as === "json" ? ["GET", key] : ["HGETALL", key]),
    document: (reply) => (store.as === "json" ? jsonDocument(reply, store.value) : hashDocument(reply, fields)),
  }
}

/** The form in any key that holds its ids: it is the same in all of them. */
function heldCodec(rows: ReadonlyMap<string, KeyModel>, name: string, { unique, index }: Entity): AnyCodec | undefined {
  const label = [...Object.keys(unique), ...Object.keys(index)][0]
  const shape = (rows.get(`${name}#all`) ?? rows.get(`${name}#${label}`))?.declared.shape
  return (shape?.["member"] ?? shape?.["value"]) as AnyCodec | undefined
}

/** The parameters of an index's key that a document leads to; undefined when it has no entry there. Throws when no key can hold them. */
export function entryOf({ index, row }: IndexModel, document: Document, bound: ParamTexts): ParamTexts | undefined {
  for (const field in index.where) if (document[field] !== index.where[field]) return undefined
  if (index.score !== undefined && scoreOf(document[index.score]) === undefined) return undefined
  const texts: Record<string, string> = {}
  for (const param of row.params) {
    const value = index.fields.includes(param) ? document[param] : bound[param]
    if (value === undefined || value === null) return undefined
    texts[param] = index.fields.includes(param)
      ? (row.declared.params[param] as TextCodec).encode(value)
      : (value as string)
  }
  return texts
}

/** The same; undefined also when no key can hold them, which is a finding of the audit. */
export const possibleEntryOf = (index: IndexModel, document: Document, bound: ParamTexts): ParamTexts | undefined =>
  unlessRefused(() => entryOf(index, document, bound), undefined)

/** Whether a document leads to the key with these parameters. */
export function leadsTo(index: IndexModel, document: Document, bound: ParamTexts, texts: ParamTexts): boolean {
  const own = possibleEntryOf(index, document, bound)
  return own !== undefined && index.row.params.every((param) => own[param] === texts[param])
}

/** Numbers as they are, instants as milliseconds; undefined when there is none. */
export function scoreOf(value: unknown): number | undefined {
  if (value === undefined || value === null || typeof value === "boolean") return undefined
  const score = value instanceof Date ? value.getTime() : typeof value === "string" ? Date.parse(value) : Number(value)
  return Number.isNaN(score) ? undefined : score
}

function jsonDocument(reply: Reply, { document: of }: Codec<unknown>): Document | undefined {
  if (typeof reply !== "string") return undefined
  try {
    const document = of?.parse ? of.parse(reply) : (JSON.parse(reply) as unknown)
    return typeof document === "object" && document !== null ? (document as Document) : undefined
  } catch {
    return undefined // That it cannot be parsed is a separate finding.
  }
}

function hashDocument(reply: Reply, fields: CodecFields): Document | undefined {
  if (!Array.isArray(reply) || reply.length === 0) return undefined
  return unlessRefused(() => {
    const document: Record<string, unknown> = {}
    for (let i = 0; i + 1 < reply.length; i += 2) {
      const name = wireName(asWire(reply[i] as Reply))
      const codec = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (codec) document[name] = decode(codec, reply[i + 1] as Reply)
    }
    return document
  }, undefined)
}

/** The id of a record as it may be printed. */
export const showId = ({ record, idField }: EntityModel, id: string): string =>
  isSecretField(record, idField) ? "…" : id

/** Ids in this index are secret: all are, or the index is of records in which a secret field has a certain value. */
export const hidesIds = ({ record, idField }: EntityModel, { declared: { shape } }: KeyModel): boolean =>
  isSecretField(record, idField) || ((shape["member"] ?? shape["value"]) as AnyCodec | undefined)?.secret === true

/** Its elements are in the order of a secret. */
export const hidesOrder = ({ declared: { shape } }: KeyModel): boolean =>
  (shape["score"] as AnyCodec | undefined)?.secret === true

/** It holds the ids of records with a certain value in a secret field, or in the order of one: so the ids reveal it. */
export const isTelling = (entity: EntityModel, row: KeyModel): boolean =>
  (hidesIds(entity, row) || hidesOrder(row)) && !isSecretField(entity.record, entity.idField)
