/* What a key leads to: the records that its record refers to and is referred to by,
 * its index entries, the records whose ids it holds, and other keys with the same id.
 * Counts are asked for, not counted; of long ones the first are shown, and a cursor. */

import type { Reply, Wire } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { notFound } from "../../errors/studio.ts"
import type { Document, EntityModel } from "../../inspect/model/entity-model.ts"
import { type HeldIds, keyIn, type RelationWay, relationWays } from "../../inspect/model/key-relations.ts"
import type { KeyModel } from "../../inspect/model/model.ts"
import { isSecretField, spellsOut } from "../../inspect/model/secret-fields.ts"
import { spellSafely } from "../../inspect/model/spell.ts"
import { isRefusal, RefusedReads } from "../../inspect/walk/refusal.ts"
import { SAFE } from "../../driver/safe.ts"
import { relationRows } from "../../schema/entity-relations.ts"
import type { KeyLink, RelatedPage, KeyRelation } from "../api.ts"
import type { CellView } from "./cell.ts"
import { idsOf } from "./ids-of.ts"
import { onePer } from "../../client/call/one-per.ts"
import type { OpenSystem } from "./open-system.ts"

const FIRST = 20
const FURTHER = 100
const MOST_SAME = 40

type Way = Omit<RelationWay, "how"> & Pick<KeyRelation, "how">

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
  const { system, owner, reveal } = look
  const { row, params } = owner!
  const ways = relationWays({ model: system.model, row, key, params, document, secrets: reveal })
  const role = row.declared.entity?.role
  return role === undefined || role === "record" ? [...ways, ...sameIds(look, key)] : ways
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
    // Knowing an id must not reveal a key that nobody may search for.
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
  const [held, count] = await Promise.all([
    idsOf(look.system, to.holder, to.key, { cursor: "0.0", most: FIRST }).catch((error: unknown) => {
      if (error instanceof KeywrightError) return error
      throw error
    }),
    countOf(look, to, refused),
  ])
  if (held instanceof KeywrightError) refused.note(["elements"], held, to.key)
  const { ids, next } = held instanceof KeywrightError ? { ids: [], next: undefined } : held
  return { ...notes, count, links: await linksOf(look, target, ids.map(keyIn(to))), next, ...refused.result() }
}

async function countOf({ system }: CellView, { holder, key }: HeldIds, refused: RefusedReads): Promise<number | null> {
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

/** For a record: the record that a field refers to, by a relation of the schema. */
export function relatedBy({ system, owner, reveal }: CellView, field: string, value: unknown): KeyLink | undefined {
  if (owner?.row.declared.entity?.role !== "record" || (typeof value !== "string" && typeof value !== "number"))
    return undefined
  const other = fieldTargets(system).get(`${owner.row.declared.entity.name} ${field}`)
  if (other === undefined || other.bound.some((param) => owner.params[param] === undefined)) return undefined
  if (!reveal && (isSecretField(owner.row, field) || spellsOut(owner.row, other.record, other.bound))) return undefined
  const key = spellSafely(other.record, { ...owner.params, [other.idField]: String(value) })
  return key === undefined ? undefined : system.link(other.record.db, key, other.record)
}

/** By entity and field: the entity whose ids it holds. */
const fieldTargets = onePer(({ keyspace, model }: OpenSystem): ReadonlyMap<string, EntityModel> => {
  const targets = relationRows(keyspace).flatMap(({ entity, target, via }) =>
    "field" in via ? [[`${entity} ${via.field}`, model.entities.get(target)!] as const] : [],
  )
  return new Map(targets)
})
