/* The keyspace prepared for inspecting keys, shared by audit and studio: each declared
 * key as the client has it, with what is needed again and again when reading a server. */

import { readyKeys, type ReadyKey } from "../../client/call/ready-key.ts"
import { redisTypes, type RedisType } from "../../schema/define.ts"
import { entityAt } from "../../schema/entity-at.ts"
import { codecsIn } from "../../schema/codecs-in.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { slotsOf } from "../../schema/locate.ts"
import { toolkitKeys } from "../../schema/toolkit-keys.ts"
import type { Database } from "../walk/databases.ts"
import type { Wire } from "../../driver/driver.ts"
import { hideSecrets } from "../../schema/hidden-secrets.ts"
import { secretFields } from "../../schema/secret-params.ts"
import { keyShower } from "./show-key.ts"
import { type EntityModel, entityModel } from "./entity-model.ts"

hideSecrets()

export interface Model {
  readonly keyspace: Keyspace
  readonly databases: readonly Database[]
  readonly keys: ReadonlyMap<string, KeyModel>
  readonly entities: ReadonlyMap<string, EntityModel>
  /** On a cluster, commands with several keys and MULTI over several slots are not possible. */
  readonly cluster: boolean
  /** How long after its deadline a note of the sweeper is overdue. */
  readonly graceMs: number
  /** For a file: when it was written. Nothing changes in it, and its clock does not move. */
  readonly savedAtMs: number | undefined
}

/** The time that deadlines are compared with. */
export const nowOf = ({ savedAtMs }: Model): number => savedAtMs ?? Date.now()

export const databaseOf = ({ databases }: Model, row: KeyModel): Database => databases.find(({ db }) => db === row.db)!

export interface KeyModel extends ReadyKey {
  /** The logical database, as the server numbers it. */
  readonly db: number
  readonly type: RedisType
  readonly show: (key: Wire) => string
  /** Fields that may not be shown; true if no value may, as in the toolkit's own keys, which repeat other values. */
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
  const ready = readyKeys(keyspace.keys)
  const models = new Map<string, KeyModel>()
  for (const { db, keys } of databases) {
    for (const { name } of keys) models.set(name, keyModel(ready.get(name)!, keyspace.keys, db, false))
    for (const [name, own] of readyKeys(toolkitKeys(db))) models.set(`${db}/${name}`, keyModel(own, [], db, true))
  }
  const entities = new Map<string, EntityModel>()
  for (const { declared } of models.values()) {
    if (declared.entity?.role !== "record") continue
    const entity = entityAt(keyspace.entries, declared.entity.name)!
    entities.set(declared.entity.name, entityModel(entity, declared.entity.name, models))
  }
  return { keyspace, databases, keys: models, entities, cluster, graceMs, savedAtMs }
}

function keyModel(ready: ReadyKey, keys: readonly Key[], db: number, toolkit: boolean): KeyModel {
  const { declared } = ready
  return {
    ...ready,
    db,
    type: redisTypes[declared.kind],
    show: keyShower(declared, keys),
    secret: toolkit || secretFields(declared, keys),
    bytes: codecsIn(declared.shape).some((codec) => codec.decodeBytes !== undefined),
    params: Object.keys(declared.params),
    parts: literalsAndParams(declared),
    toolkit,
  }
}

function literalsAndParams({ pattern, params }: Key): string[] {
  const [head, slots] = slotsOf(pattern, params)
  return [head, ...slots.flatMap(({ name, tail }) => [name, tail])]
}
