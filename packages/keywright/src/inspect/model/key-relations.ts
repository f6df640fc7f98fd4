/* What a key is related to: the records that its record refers to and is referred to by,
 * its index entries, and the other places that hold its ids. */

import type { Reply } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import { relationRows } from "../../schema/entity-relations.ts"
import { type Document, type EntityModel, isTelling, type ParamTexts, possibleEntryOf } from "./entity-model.ts"
import { idTextOf } from "./id-text.ts"
import { databaseOf, type Model, type KeyModel } from "./model.ts"
import { isSecretField, spellsOut } from "./secret-fields.ts"
import { spellSafely } from "./spell.ts"
import { boundOf } from "./subject.ts"
import { isRefusal } from "../walk/refusal.ts"
import { SAFE } from "../../driver/safe.ts"

export interface KeyRelation {
  /** `"role"`, `"index email"`, `"record"`: what it is to the key. */
  readonly name: string
  readonly keys: readonly string[]
  /** How many there are; `keys` are the first of them. */
  readonly count: number
  /** Null when that could not be read. */
  readonly exists: boolean | null
}

const MOST = 20

/** One relation of a key, before anything is asked. */
export interface RelationWay {
  readonly name: string
  /** By a field or a set of its own, by a set or an index of the other, its own index entry, or ids that it holds. */
  readonly how: "to" | "from" | "index" | "holds"
  readonly doc?: string
  readonly target: KeyModel
  /** The keys themselves, or the key that holds their ids. */
  readonly to: { readonly keys: readonly string[] } | HeldIds
}

export interface HeldIds {
  readonly holder: KeyModel
  readonly key: string
  keyOf(id: string): string
}

/** A key whose relations are asked for. `secrets`: they may be told. */
export interface RelatedKey {
  readonly model: Model
  readonly row: KeyModel
  readonly key: string
  readonly params: ParamTexts
  readonly document: Document | undefined
  readonly secrets: boolean
}

export async function relationsOf(of: RelatedKey): Promise<KeyRelation[]> {
  const { model, row, key, document } = of
  if (row.declared.entity?.role === "record" && document === undefined) return []
  const found = await Promise.all(
    relationWays(of).map(async ({ name, target, to }) =>
      relationTo(of, target, name, "keys" in to ? to.keys : await keysIn(model, to)),
    ),
  )
  return found.filter(({ keys }) => keys.length > 0 && keys[0] !== key)
}

/** Where a key leads by the schema: records, index entries. */
export function relationWays(of: RelatedKey): RelationWay[] {
  const { model, row, key, params, secrets } = of
  const place = row.declared.entity
  const entity = place && model.entities.get(place.name)
  if (entity === undefined) return []
  if (place!.role === "record") return [...indexWays(of, entity), ...recordWays(of, entity)]
  if (place!.role === "counter" || (!secrets && isTelling(entity, row))) return []
  const keyOf = (id: string) => entity.keyOf(id, boundOf(entity, params))
  return [{ name: place!.name, how: "holds", target: entity.record, to: { holder: row, key, keyOf } }]
}

function indexWays({ params, document, secrets }: RelatedKey, entity: EntityModel): RelationWay[] {
  if (document === undefined) return []
  return entity.indexes.flatMap((index) => {
    if (!secrets && isTelling(entity, index.row)) return []
    const texts = possibleEntryOf(index, document, boundOf(entity, params))
    const indexKey = texts && spellSafely(index.row, texts)
    const name = index.area === "MIRROR" ? `mirror of ${index.label}` : `index ${index.label}`
    return indexKey === undefined ? [] : [{ name, how: "index", target: index.row, to: { keys: [indexKey] } }]
  })
}

function recordWays({ model, row, params, document, secrets }: RelatedKey, entity: EntityModel): RelationWay[] {
  // Where a relation leads says what its field holds, from either side.
  const isHidden = (field: string) => !secrets && isSecretField(row, field)
  const isHiddenIn = (holder: KeyModel, param: string) =>
    !secrets && (holder.secrets.has(param) || isHidden(entity.idField))
  const bound = boundOf(entity, params)
  const id = params[entity.idField]!
  const ways: RelationWay[] = []
  for (const { name, entity: from, target, via, doc } of relationRows(model.keyspace)) {
    if (from !== entity.name) continue
    const other = model.entities.get(target)!
    if (!secrets && spellsOut(row, other.record, other.bound)) continue
    const notes = { name, target: other.record, ...(doc !== undefined && { doc }) }
    const keyOf = (one: string) => other.keyOf(one, boundOf(other, params))
    if ("field" in via) {
      if (isHidden(via.field)) continue
      const value = document?.[via.field]
      ways.push({
        ...notes,
        how: "to",
        to: { keys: value === undefined || value === null ? [] : [keyOf(String(value))] },
      })
      continue
    }
    const holder = "set" in via ? model.keys.get(via.set) : other.indexes.find((one) => one.label === via.index)?.row
    const param = holder?.params.find((one) => !(one in bound))
    const key = holder && param !== undefined ? spellSafely(holder, { ...params, [param]: id }) : undefined
    if (holder === undefined || key === undefined || isHiddenIn(holder, param!)) continue
    if ("index" in via && !secrets && isTelling(other, holder)) continue
    ways.push({ ...notes, how: "set" in via ? "to" : "from", to: { holder, key, keyOf } })
  }
  return ways
}

/** From what a key holds to the key that it leads to. */
export function keyIn({ holder: { declared }, keyOf }: HeldIds): (held: string) => string {
  const { of } = idTextOf((declared.shape["member"] ?? declared.shape["value"]) as AnyCodec)
  return (held) => keyOf(of(held))
}

/** The keys that the ids in an index, a list or a set lead to. */
async function keysIn(model: Model, held: HeldIds): Promise<string[]> {
  const { type } = held.holder
  const scan = [type === "zset" ? "ZSCAN" : "SSCAN", held.key, "0", "COUNT", "500"]
  const command = type === "string" ? ["GET", held.key] : scan
  const [reply] = await databaseOf(model, held.holder).driver.batch([command], SAFE)
  if (reply === null || reply === undefined || reply instanceof KeywrightError) return []
  if (!Array.isArray(reply)) return [keyIn(held)(String(reply))]
  const [, elements] = reply as [Reply, readonly Reply[]]
  return elements.filter((_, i) => type !== "zset" || i % 2 === 0).map((one) => keyIn(held)(String(one)))
}

async function relationTo(
  { model, secrets }: RelatedKey,
  row: KeyModel,
  name: string,
  keys: readonly string[],
): Promise<KeyRelation> {
  const some = keys.slice(0, MOST)
  const replies = await databaseOf(model, row).driver.batch(
    some.map((key) => ["EXISTS", key]),
    SAFE,
  )
  return {
    name,
    keys: some.map((key) => (secrets ? key : row.show(key))),
    count: keys.length,
    exists: replies.includes(0) ? false : replies.some(isRefusal) ? null : true,
  }
}
