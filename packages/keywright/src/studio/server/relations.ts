/* What a key leads to: the records that its record refers to and is referred to by,
 * its index entries, the records whose ids it holds, and other keys with the same id.
 * Counts are asked for, not counted; of long ones the first are shown, and a cursor. */

import type { Reply, Wire } from "../../driver/driver.ts"
import { isKeywrightError, KeywrightError } from "../../errors/error.ts"
import { notFound } from "../../errors/studio.ts"
import {
  type Document,
  type EntityModel,
  entryOf,
  isTelling,
  type ParamTexts,
} from "../../inspect/model/entity-model.ts"
import { idTextOf } from "../../inspect/model/id-text.ts"
import type { KeyModel } from "../../inspect/model/model.ts"
import { isSecretField, spellsOut } from "../../inspect/model/secret-fields.ts"
import { spellSafely } from "../../inspect/model/spell.ts"
import { boundOf } from "../../inspect/model/subject.ts"
import { isRefusal, RefusedReads } from "../../inspect/walk/refusal.ts"
import { SAFE } from "../../driver/safe.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import { relationRows } from "../../schema/entity-relations.ts"
import type { KeyLink, RelatedPage, KeyRelation } from "../api.ts"
import type { CellView } from "./cell.ts"
import { idsOf } from "./ids-of.ts"
import type { OpenSystem } from "./open-system.ts"

const FIRST = 20
const FURTHER = 100
const MOST_SAME = 40

/** One relation, before anything is asked. */
interface Way extends Pick<KeyRelation, "name" | "how" | "doc"> {
  readonly target: KeyModel
  /** The keys themselves, or the key that holds their ids. */
  readonly to:
    | { readonly keys: readonly string[] }
    | { readonly holder: KeyModel; readonly key: string; keyOf(id: string): string }
}

export async function relationsOf(look: CellView, key: Wire, document: Document | undefined): Promise<KeyRelation[]> {
  if (typeof key !== "string" || look.owner === undefined) return []
  const found = await Promise.all(waysOf(look, key, document).map((way) => relationOf(look, way)))
  return found.filter((one) => one !== undefined)
}

/** A further page of one relation. */
export async function relatedPage(
  look: CellView,
  key: Wire,
  { relation, how, cursor }: { readonly relation: string; readonly how: string; readonly cursor: string },
): Promise<RelatedPage> {
  const ways = typeof key === "string" && look.owner !== undefined ? waysOf(look, key, undefined) : []
  const way = ways.find((one) => one.name === relation && one.how === how)
  if (way === undefined || !("holder" in way.to)) throw notFound("such relation")
  const { ids, next } = await idsOf(look.system, way.to.holder, way.to.key, { cursor, most: FURTHER })
  return { links: await linksOf(look, way.target, ids.map(keyIn(way.to))), next }
}

function waysOf(look: CellView, key: string, document: Document | undefined): Way[] {
  const { system, owner } = look
  const { row, params } = owner!
  const place = row.declared.entity
  const entity = place && system.model.entities.get(place.name)
  if (entity === undefined) return sameIds(look, key)
  if (place!.role === "record") return [...ofRecord(look, entity, document), ...sameIds(look, key)]
  if (place!.role === "counter" || (!look.reveal && isTelling(entity, row))) return []
  const bound = boundOf(entity, params)
  return [
    {
      name: place!.name,
      how: "holds",
      target: entity.record,
      to: { holder: row, key, keyOf: (id) => entity.keyOf(id, bound) },
    },
  ]
}

function ofRecord({ system, owner, reveal }: CellView, entity: EntityModel, document: Document | undefined): Way[] {
  const { model } = system
  const { params, row } = owner!
  // Where a relation leads says what its field holds, from either side.
  const isHidden = (field: string) => !reveal && isSecretField(row, field)
  const isHiddenIn = (holder: KeyModel, param: string) =>
    !reveal && (holder.secrets.has(param) || isHidden(entity.idField))
  const bound = boundOf(entity, params)
  const id = params[entity.idField]!
  const ways: Way[] = []
  for (const { name, entity: from, target, via, doc } of relationRows(model.keyspace)) {
    if (from !== entity.name) continue
    const other = model.entities.get(target)!
    if (!reveal && spellsOut(row, other.record, other.bound)) continue
    const notes = { name, target: other.record, ...(doc !== undefined && { doc }) }
    if ("field" in via) {
      if (isHidden(via.field)) continue
      const value = document?.[via.field]
      const keys = value === undefined || value === null ? [] : [other.keyOf(String(value), boundOf(other, params))]
      ways.push({ ...notes, how: "to", to: { keys } })
      continue
    }
    const holder = "set" in via ? model.keys.get(via.set) : other.indexes.find((one) => one.label === via.index)?.row
    const param = holder?.params.find((one) => !(one in bound))
    const holderKey = holder && param !== undefined ? spellSafely(holder, { ...params, [param]: id }) : undefined
    if (holder === undefined || holderKey === undefined || isHiddenIn(holder, param!)) continue
    if ("index" in via && !reveal && isTelling(other, holder)) continue
    const keyOf = (one: string) => other.keyOf(one, boundOf(other, params))
    ways.push({ ...notes, how: "set" in via ? "to" : "from", to: { holder, key: holderKey, keyOf } })
  }
  for (const index of document === undefined ? [] : entity.indexes) {
    if (!reveal && isTelling(entity, index.row)) continue
    const indexKey = indexKeyOf(index, document!, bound)
    const name = index.area === "MIRROR" ? `mirror of ${index.label}` : `index ${index.label}`
    if (indexKey !== undefined) ways.push({ name, how: "index", target: index.row, to: { keys: [indexKey] } })
  }
  return ways
}

function indexKeyOf(index: EntityModel["indexes"][number], document: Document, bound: ParamTexts): string | undefined {
  try {
    const texts = entryOf(index, document, bound)
    return texts && spellSafely(index.row, texts)
  } catch (error) {
    if (isKeywrightError(error)) return undefined // No key can hold the value: a finding of the audit.
    throw error
  }
}

/** Other patterns that are made of the same ids. */
function sameIds({ system, owner, reveal }: CellView, key: string): Way[] {
  const { row, params } = owner!
  const known = new Map<string, string>()
  for (const [name, codec] of Object.entries(row.declared.params))
    // Where a secret id leads is shown with it.
    if (codec.id !== undefined && (reveal || !row.secrets.has(name))) known.set(codec.id, params[name]!)
  if (known.size === 0) return []
  const ways: Way[] = []
  for (const other of system.model.keys.values()) {
    if (other === row || other.toolkit || other.params.length === 0 || ways.length >= MOST_SAME) continue
    if (other.declared.entity !== undefined && other.declared.entity.name === row.declared.entity?.name) continue
    // Who spells an id may not learn of a key that nobody may spell.
    if (!other.params.every((name) => system.isSoughtBy(other, name))) continue
    const texts: Record<string, string> = {}
    const all = other.params.every((name) => {
      const id = other.declared.params[name]?.id
      const text = id === undefined ? undefined : known.get(id)
      if (text !== undefined) texts[name] = text
      return text !== undefined
    })
    const otherKey = all ? spellSafely(other, texts) : undefined
    if (otherKey !== undefined && otherKey !== key)
      ways.push({ name: other.declared.name, how: "same", target: other, to: { keys: [otherKey] } })
  }
  return ways
}

async function relationOf(look: CellView, { name, how, doc, target, to }: Way): Promise<KeyRelation | undefined> {
  const notes = { name, how, target: look.system.nameOf(target), ...(doc !== undefined && { doc }) }
  if ("keys" in to) {
    const links = await linksOf(look, target, to.keys)
    // The same id elsewhere, and records without a field, are only listed where there are any.
    const some = how === "same" ? links.filter(({ exists }) => exists !== false) : links
    return some.length === 0 ? undefined : { ...notes, count: some.length, links: some, next: undefined }
  }
  const refused = new RefusedReads()
  const [{ ids, next }, count] = await Promise.all([
    idsOf(look.system, to.holder, to.key, { cursor: "0.0", most: FIRST }).catch((error: unknown) => {
      if (!(error instanceof KeywrightError)) throw error
      refused.note(["elements"], error, to.key)
      return { ids: [], next: undefined }
    }),
    countOf(look, to, refused),
  ])
  return { ...notes, count, links: await linksOf(look, target, ids.map(keyIn(to))), next, ...refused.result() }
}

type Held = Extract<Way["to"], { holder: KeyModel }>

/** From what a key holds to the key that it leads to. */
function keyIn({ holder: { declared }, keyOf }: Held): (held: string) => string {
  const { of } = idTextOf((declared.shape["member"] ?? declared.shape["value"]) as AnyCodec)
  return (held) => keyOf(of(held))
}

async function countOf({ system }: CellView, { holder, key }: Held, refused: RefusedReads): Promise<number | null> {
  const command = [{ set: "SCARD", zset: "ZCARD" }[holder.type as string] ?? "EXISTS", key]
  const [count] = await system.driverOf(holder.db).batch([command], SAFE)
  if (count instanceof KeywrightError) refused.note(command, count, key)
  return typeof count === "number" ? count : null
}

async function linksOf({ system }: CellView, row: KeyModel, keys: readonly string[]): Promise<KeyRelation["links"]> {
  if (keys.length === 0) return []
  const replies = await system.driverOf(row.db).batch(
    keys.map((key) => ["EXISTS", key]),
    SAFE,
  )
  const exists = (reply: Reply | undefined) => (isRefusal(reply) ? null : reply === 1)
  return keys.map((key, i) => ({ ...system.link(row.db, key, row), exists: exists(replies[i]) }))
}

/** Of a record: the record that a field refers to, by a relation of the schema. */
export function relatedBy({ system, owner, reveal }: CellView, field: string, value: unknown): KeyLink | undefined {
  if (owner?.row.declared.entity?.role !== "record" || (typeof value !== "string" && typeof value !== "number"))
    return undefined
  const other = fieldTargets(system, owner.row).get(field)
  if (other === undefined || other.bound.some((param) => owner.params[param] === undefined)) return undefined
  if (!reveal && (isSecretField(owner.row, field) || spellsOut(owner.row, other.record, other.bound))) return undefined
  const key = spellSafely(other.record, { ...owner.params, [other.idField]: String(value) })
  return key === undefined ? undefined : system.link(other.record.db, key, other.record)
}

const targets = new WeakMap<KeyModel, ReadonlyMap<string, EntityModel>>()

/** By field: the entity whose ids it holds. */
function fieldTargets(system: OpenSystem, row: KeyModel): ReadonlyMap<string, EntityModel> {
  let known = targets.get(row)
  if (known === undefined) {
    const place = row.declared.entity
    const own = relationRows(system.keyspace).flatMap(({ entity, target, via }) =>
      entity === place?.name && "field" in via ? [[via.field, system.model.entities.get(target)!] as const] : [],
    )
    targets.set(row, (known = new Map(own)))
  }
  return known
}
