/* Relations spelled out: how each target is found, inverses included. */

import { keyspaceReference, keyspaceRelation } from "../errors/keyspace.ts"
import type { AnyCodec } from "./codec/codec.ts"
import { entitiesIn } from "./entity-at.ts"
import { knownFields } from "./entity-fields.ts"
import type { Entity } from "./entity.ts"
import { keyNamed, requireName } from "./keys-of.ts"
import type { RelationForm } from "./json/form.ts"
import type { Key } from "./key.ts"
import type { RelationRow } from "./relation.ts"

type Entities = Readonly<Record<string, Entity>>

/** Every relation of a keyspace, inverses included. */
export const relationRows = (keyspace: {
  readonly entries: unknown
  readonly relations: unknown
  readonly keys: readonly Key[]
}): RelationRow[] =>
  Object.entries(keyspace.relations as Record<string, Record<string, RelationForm>>).flatMap(([entity, declared]) =>
    rowsOf(entity, declared, Object.fromEntries(entitiesIn(keyspace.entries)), keyspace.keys),
  )

/** Throws for a relation whose target, field, index or set does not exist, and for two of one name. */
export const checkRelations = (relations: object, entries: object, keys: readonly Key[]): void => {
  const names = relationRows({ relations, entries, keys }).map(({ entity, name }) => {
    requireName(`relations.${entity}.`, name)
    return `${entity}.${name}`
  })
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw keyspaceRelation(`the relation ${twice}`, "it is declared twice, or is an inverse too")
}

function rowsOf(
  entity: string,
  declared: Readonly<Record<string, RelationForm>>,
  entities: Entities,
  keys: readonly Key[],
): RelationRow[] {
  return Object.entries(declared).flatMap(
    ([name, { one, many, from, by, through, inverse, doc, mayDangle }]): RelationRow[] => {
      const what = `the relation ${entity}.${name}`
      const find = (path: string): Entity => {
        if (Object.hasOwn(entities, path)) return entities[path]!
        throw keyspaceReference(what, path, Object.keys(entities))
      }
      const source = find(entity)
      const target = one ?? many ?? ""
      const found = find(target)
      const row = {
        entity,
        name,
        target,
        many: many !== undefined,
        ...(doc !== undefined && { doc }),
        ...(mayDangle && { mayDangle }),
      }
      if (from !== undefined) {
        const known = knownFields(source)
        if (known && !known.includes(from)) throw keyspaceReference(what, from, known)
        const back = inverse === undefined ? [] : [inverseOf(what, entity, source, target, inverse, from)]
        return [{ ...row, via: { field: from } }, ...back]
      }
      if (by !== undefined) {
        const indexes = one === undefined ? found.index : found.unique
        if (!Object.hasOwn(indexes, by)) throw keyspaceReference(what, by, Object.keys(indexes))
        if (indexes[by]!.fields.length !== 1)
          throw keyspaceRelation(what, `index ${by} of ${target} is on several fields`)
        return [{ ...row, via: { index: by, unique: one !== undefined } }]
      }
      const set = keyNamed(keys, through ?? "", what)
      if (!("member" in set.shape && (set.shape["member"] as AnyCodec).decode))
        throw keyspaceRelation(what, `${through} has no members`)
      return [{ ...row, via: { set: set.name } }]
    },
  )
}

/** `dish.category` by `categoryId` yields `category.dishes`, through dish's index on `categoryId`. */
function inverseOf(
  what: string,
  entity: string,
  { unique, index }: Entity,
  target: string,
  name: string,
  field: string,
): RelationRow {
  const on = (indexes: Entity["index"]) =>
    Object.keys(indexes).find((label) => indexes[label]!.fields.length === 1 && indexes[label]!.fields[0] === field)
  const one = on(unique)
  const label = one ?? on(index)
  if (label === undefined)
    throw keyspaceRelation(what, `its inverse ${target}.${name} needs an index of ${entity} on ${field}`)
  return {
    entity: target,
    name,
    target: entity,
    many: one === undefined,
    via: { index: label, unique: one !== undefined },
  }
}
