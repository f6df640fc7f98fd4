/* The records that an index of their entity leads to, a page at a time: one for a unique index, in no
 * order for a set, in the order of its score, either way, for a sorted set. */

import { queryRefused } from "../../errors/studio.ts"
import { type EntityModel, isTelling } from "../../inspect/model/entity-model.ts"
import { idTextOf } from "../../inspect/model/id-text.ts"
import type { KeyModel } from "../../inspect/model/model.ts"
import { spellSafely } from "../../inspect/model/spell.ts"
import { boundOf } from "../../inspect/model/subject.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import type { IndexInfo } from "../api.ts"
import { idsOf } from "./ids-of.ts"
import type { Listing } from "./list-keys.ts"
import type { OpenSystem } from "./open-system.ts"
import { paramInfo } from "./param-info.ts"

const entityOf = ({ model }: OpenSystem, row: KeyModel): EntityModel | undefined =>
  row.declared.entity?.role === "record" ? model.entities.get(row.declared.entity.name) : undefined

/** What is asked for is part of an address, and no secret ever is. */
const isSecret = (system: OpenSystem, { declared, params }: KeyModel): boolean =>
  params.some((param) => system.secretParams(system.rowNamed(declared.name)).has(param))

/** What the records of a pattern can be found by. */
export function indexesOf(system: OpenSystem, row: KeyModel): IndexInfo[] {
  const entity = entityOf(system, row)
  if (entity === undefined) return []
  return entity.indexes
    .filter(({ area, row: own }) => area !== "MIRROR" && !isSecret(system, own) && !isTelling(entity, own))
    .map(({ label, kind, index, row: own }) => ({
      name: own.declared.name,
      label,
      kind: kind === "zset" ? "ordered" : kind,
      params: own.params.map((param) => paramInfo(system, own, param)),
      ...(index.score !== undefined && { score: index.score }),
    }))
}

export interface IndexQuery {
  readonly index: string
  readonly params: Readonly<Record<string, string>>
  readonly descending: boolean
  readonly limit: number
  readonly cursor?: string | undefined
}

export async function listByIndex(system: OpenSystem, name: string, query: IndexQuery): Promise<Listing> {
  const record = system.rowNamed(name)
  const entity = entityOf(system, record)
  const found = entity?.indexes.find(({ row }) => row.declared.name === query.index)
  if (entity === undefined || found === undefined || isSecret(system, found.row) || isTelling(entity, found.row))
    throw queryRefused("index", `${name} has no such index to look up`)
  const { row } = found
  const missing = row.params.find((param) => query.params[param] === undefined)
  if (missing !== undefined) throw queryRefused(`x.${missing}`, `${row.declared.pattern} needs it`)
  const odd = Object.keys(query.params).find((param) => !row.params.includes(param))
  if (odd !== undefined) throw queryRefused(`x.${odd.slice(0, 40)}`, `${row.declared.pattern} has no such parameter`)
  const key = spellSafely(row, query.params)
  if (key === undefined) return { db: record.db, keys: [], next: undefined }
  const { ids, next } = await idsOf(system, row, key, {
    cursor: query.cursor ?? "0.0",
    most: query.limit,
    descending: query.descending,
  })
  const { of } = idTextOf((row.declared.shape["member"] ?? row.declared.shape["value"]) as AnyCodec)
  const bound = boundOf(entity, query.params)
  const keys = ids.map((id) => entity.keyOf(of(id), bound))
  return { db: record.db, keys: keys.map((one) => ({ key: one, owner: system.ownerOf(record.db, one) })), next }
}
