/* The keyspace made ready for the audit: each pattern with what its checks ask for
 * again and again. */

import { declare, type Declared } from "../../client/call/declared.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import { redisTypes, type RedisType } from "../../schema/define.ts"
import { entityAt } from "../../schema/entity-at.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { slotsOf } from "../../schema/locate.ts"
import { toolkitKeys } from "../../schema/toolkit-keys.ts"
import type { Database } from "../walk/databases.ts"
import type { Wire } from "../../driver/driver.ts"
import { secretFields } from "../../schema/secret-params.ts"
import { keyShower } from "./show-key.ts"
import { type EntityModel, entityModel } from "./entity-model.ts"

export interface Model {
  readonly keyspace: Keyspace
  readonly databases: readonly Database[]
  readonly rows: ReadonlyMap<string, RowModel>
  readonly entities: ReadonlyMap<string, EntityModel>
  /** On a cluster, commands with several keys and MULTI over several slots are not possible. */
  readonly cluster: boolean
  /** How long after its deadline a note of the sweeper is overdue. */
  readonly graceMs: number
  /** Of a file: when it was written. Nothing changes in it, and its clock stands still. */
  readonly savedAtMs: number | undefined
}

/** The time that deadlines are compared with. */
export const nowOf = ({ savedAtMs }: Model): number => savedAtMs ?? Date.now()

export interface RowModel {
  readonly row: Key
  readonly declared: Declared
  /** The logical database, as the server numbers it. */
  readonly db: number
  readonly type: RedisType
  readonly show: (key: Wire) => string
  readonly secret: true | readonly string[]
  /** Some of its values are bytes: it has to be read as bytes. */
  readonly bytes: boolean
  /** Names of the parameters, in the pattern's order. */
  readonly params: readonly string[]
  /** The pattern taken apart: literals and names of parameters by turns, a literal first and last. */
  readonly parts: readonly string[]
  readonly toolkit: boolean
}

export function modelOf(
  keyspace: Keyspace,
  databases: readonly Database[],
  cluster: boolean,
  graceMs: number,
  savedAtMs?: number,
): Model {
  const declared = declare(keyspace.keys)
  const rows = new Map<string, RowModel>()
  for (const { db, keys } of databases) {
    for (const row of keys) rows.set(row.name, rowModel(row, declared.get(row.name)!, keyspace.keys, db, false))
    for (const [name, entry] of declare(toolkitKeys(db)))
      rows.set(`${db}/${name}`, rowModel(entry.row, entry, [], db, true))
  }
  const entities = new Map<string, EntityModel>()
  for (const { row } of rows.values()) {
    if (row.entity?.role !== "record") continue
    const entity = entityAt(keyspace.entries, row.entity.name)!
    entities.set(row.entity.name, entityModel(entity, row.entity.name, rows))
  }
  return { keyspace, databases, rows, entities, cluster, graceMs, savedAtMs }
}

function rowModel(row: Key, declared: Declared, keys: readonly Key[], db: number, toolkit: boolean): RowModel {
  return {
    row,
    declared,
    db,
    type: redisTypes[row.kind],
    show: keyShower(row, keys),
    secret: secretFields(row, keys),
    bytes: codecsOf(row.shape).some((codec) => codec.decodeBytes !== undefined),
    params: Object.keys(row.params),
    parts: partsOf(row),
    toolkit,
  }
}

function partsOf({ pattern, params }: Key): string[] {
  const [head, slots] = slotsOf(pattern, params)
  return [head, ...slots.flatMap(({ name, tail }) => [name, tail])]
}

/** All codecs of a shape, those of fields included. */
const codecsOf = (shape: Readonly<Record<string, unknown>>): AnyCodec[] =>
  Object.values(shape).flatMap((part) => (isCodec(part) ? [part] : codecsOf(part as Readonly<Record<string, unknown>>)))

const isCodec = (part: unknown): part is AnyCodec => typeof (part as Partial<AnyCodec>).decode === "function"
