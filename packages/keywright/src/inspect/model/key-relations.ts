/* What a key is related to: the records that its record refers to and is referred to by,
 * its index entries, and the other places that hold its ids. */

import type { Reply } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import { relationRows } from "../../schema/entity-relations.ts"
import { type Document, entryOf, type EntityModel, isTelling } from "./entity-model.ts"
import { idTextOf } from "./id-text.ts"
import type { Model, KeyModel } from "./model.ts"
import { isSecretField, spellsOut } from "./secret-fields.ts"
import { spell, spellSafely } from "./spell.ts"
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

export async function relationsOf(
  model: Model,
  row: KeyModel,
  key: string,
  params: Readonly<Record<string, string>>,
  document: Document | undefined,
  secrets: boolean,
): Promise<KeyRelation[]> {
  const place = row.declared.entity
  if (place === undefined) return []
  const entity = model.entities.get(place.name)!
  const look = { model, secrets, params }
  if (place.role === "record") {
    return document === undefined ? [] : ofRecord(look, entity, key, document)
  }
  if (place.role === "counter" || (!secrets && isTelling(entity, row))) return []
  const ids = await idsIn(model, row, key)
  return [
    await relationTo(
      look,
      entity.record,
      place.name,
      ids.map((id) => entity.keyOf(id, boundOf(entity, params))),
    ),
  ]
}

interface Looking {
  readonly model: Model
  readonly secrets: boolean
  readonly params: Readonly<Record<string, string>>
}

async function ofRecord(look: Looking, entity: EntityModel, key: string, document: Document): Promise<KeyRelation[]> {
  const { model, params, secrets } = look
  // Where a relation leads says what its field holds, from either side.
  const isHidden = (field: string) => !secrets && isSecretField(entity.record, field)
  const isHiddenIn = (holder: KeyModel, param: string) =>
    !secrets && (holder.secrets.has(param) || isHidden(entity.idField))
  const bound = boundOf(entity, params)
  const id = params[entity.idField]!
  const found: Promise<KeyRelation>[] = []
  for (const index of entity.indexes) {
    if (!secrets && isTelling(entity, index.row)) continue
    const texts = entryOf(index, document, bound)
    const indexKey = texts && spellSafely(index.row, texts)
    if (indexKey !== undefined) found.push(relationTo(look, index.row, `index ${index.label}`, [indexKey]))
  }
  for (const { name, entity: from, target, via } of relationRows(model.keyspace)) {
    if (from !== entity.name) continue
    const other = model.entities.get(target)!
    if (!secrets && spellsOut(entity.record, other.record, other.bound)) continue
    if ("field" in via) {
      if (isHidden(via.field)) continue
      const value = document[via.field]
      const keys = value === undefined || value === null ? [] : [other.keyOf(String(value), boundOf(other, params))]
      found.push(relationTo(look, other.record, name, keys))
      continue
    }
    const holder = "set" in via ? model.keys.get(via.set)! : other.indexes.find((one) => one.label === via.index)!.row
    const param = holder.params.find((one) => !(one in bound))!
    if (isHiddenIn(holder, param) || ("index" in via && !secrets && isTelling(other, holder))) continue
    const ids = await idsIn(model, holder, spell(holder, { ...params, [param]: id }))
    found.push(
      relationTo(
        look,
        other.record,
        name,
        ids.map((one) => other.keyOf(one, boundOf(other, params))),
      ),
    )
  }
  return (await Promise.all(found)).filter(({ keys }) => keys.length > 0 && keys[0] !== key)
}

/** The ids that an index, a list or a set holds. */
async function idsIn(model: Model, { db, type, declared }: KeyModel, key: string): Promise<string[]> {
  const { driver } = model.databases.find((one) => one.db === db)!
  const command =
    type === "string"
      ? ["GET", key]
      : type === "zset"
        ? ["ZSCAN", key, "0", "COUNT", "500"]
        : ["SSCAN", key, "0", "COUNT", "500"]
  const [reply] = await driver.batch([command], SAFE)
  if (reply === null || reply === undefined || reply instanceof KeywrightError) return []
  const { of } = idTextOf((declared.shape["member"] ?? declared.shape["value"]) as AnyCodec)
  if (!Array.isArray(reply)) return [of(String(reply))]
  const [, elements] = reply as [Reply, readonly Reply[]]
  return elements.filter((_, i) => type !== "zset" || i % 2 === 0).map((one) => of(String(one)))
}

async function relationTo(
  { model, secrets }: Looking,
  row: KeyModel,
  name: string,
  keys: readonly string[],
): Promise<KeyRelation> {
  const { driver } = model.databases.find(({ db }) => db === row.db)!
  const some = keys.slice(0, MOST)
  const replies = await driver.batch(
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
