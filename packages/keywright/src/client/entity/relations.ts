/* Loading relations: one or two round trips per relation and level, however many
 * records there are. */

import { spread } from "../call/spread.ts"
import type { Command, Reply } from "../../driver/driver.ts"
import { KeywrightError, SchemaError } from "../../errors/error.ts"
import { relationUnknown } from "../../errors/record.ts"
import type { RelationRow } from "../../schema/relation.ts"
import { asking, type CallNotes } from "../call/notes.ts"
import { type IdForm, idFormOf } from "./id-form.ts"
import { handOut } from "./handed-out.ts"
import { withKeyNamed } from "./naming.ts"
import { hasEntry, type IndexKeys } from "./index-entries.ts"
import { inOrder, loadMany } from "./reads.ts"
import type { Loaded } from "./record-store.ts"
import type { Repository } from "./repository.ts"
import { relationsIn } from "./through-sets.ts"
import { requireTree, type WithTree } from "./with-tree.ts"

/** A key that holds ids. */
export interface IdsAt {
  readonly key: string
  readonly kind: "unique" | "set" | "zset"
  /** How ids are stored there. */
  readonly form: IdForm
  /** The index that it belongs to, and the fields that it is made of; a set of a relation has none. */
  readonly index?: IndexKeys
  readonly fields?: Readonly<Record<string, unknown>>
}

/**
 * How relations are read: straight from the server, or as a transaction sees them; synchronously where they are
 * known.
 */
export interface RelationReader {
  readonly repositoryOf: (name: string) => Repository
  load(repository: Repository, ids: readonly string[]): Awaitable<(Loaded | undefined)[]>
  idsAt(repository: Repository, keys: readonly IdsAt[]): Awaitable<(readonly string[])[]>
}
type Awaitable<T> = T | Promise<T>

/** The records, each with the relations that `tree` names, whatever came as one. */
export async function withRelations(
  reader: RelationReader,
  entity: string,
  loaded: readonly Loaded[],
  tree: unknown,
): Promise<object[]> {
  requireTree(tree)
  return related(reader, entity, loaded, tree)
}

async function related(
  reader: RelationReader,
  entity: string,
  loaded: readonly Loaded[],
  tree: WithTree,
): Promise<object[]> {
  const names = Object.keys(tree)
  const found =
    names.length === 1
      ? [await targetsOf(reader, entity, names[0]!, loaded, tree)]
      : await Promise.all(names.map((name) => targetsOf(reader, entity, name, loaded, tree)))
  return loaded.map((one, i) => {
    const result: Record<string, unknown> = { ...handOut(one) }
    for (const { row, values } of found) result[row.name] = row.many ? values[i] : values[i]![0]
    return result
  })
}

/** What one relation leads to: for each record, records with what `tree` names further on. */
async function targetsOf(
  reader: RelationReader,
  entity: string,
  name: string,
  loaded: readonly Loaded[],
  tree: WithTree,
): Promise<{ readonly row: RelationRow; readonly values: readonly (readonly object[])[] }> {
  const row = rowOf(reader, entity, name)
  const targets = await follow(reader, row, loaded)
  const deeper = tree[name]!
  if (deeper === true) return { row, values: targets.map((found) => found.map(handOut)) }
  const unique = [...new Set(targets.flat())]
  const records = await related(reader, row.target, unique, deeper as WithTree)
  const recordOf = new Map(unique.map((one, i) => [one, records[i]!]))
  return { row, values: targets.map((found) => found.map((one) => recordOf.get(one)!)) }
}

function rowOf({ repositoryOf }: RelationReader, entity: string, name: string): RelationRow {
  const rows = relationsIn(repositoryOf(entity).context.keyspace)
  const row = rows.find((relation) => relation.entity === entity && relation.name === name)
  if (row) return row
  throw relationUnknown(
    entity,
    name,
    rows.filter((relation) => relation.entity === entity).map((relation) => relation.name),
  )
}

/** For each record, what its relation leads to. */
async function follow(reader: RelationReader, row: RelationRow, loaded: readonly Loaded[]): Promise<Loaded[][]> {
  const target = reader.repositoryOf(row.target)
  const keys = holdingKeys(reader, row, target, loaded)
  const held = keys ? await reader.idsAt(target, keys) : idsInField(row, loaded)
  const ids = held.map((list) => list.flatMap((id) => checkedId(target, id)))
  const distinct = ids.length === 1 ? ids[0]! : [...new Set(ids.flat())]
  const records = reader.load(target, distinct)
  const found = new Map<string, Loaded>()
  ;(records instanceof Promise ? await records : records).forEach((one, i) => one && found.set(distinct[i]!, one))
  return ids.map((list, i) => {
    const at = keys?.[i]
    const targets: Loaded[] = []
    for (const id of list) {
      const one = found.get(id)
      // An index entry that another program left behind is skipped.
      if (one && (!at?.index || hasEntry(target, at.index, one.document, at.fields!))) targets.push(one)
    }
    return targets
  })
}

/** A field or a member may hold any text: one that is not an id would lead to a key of another pattern. */
function checkedId(target: Repository, id: string): string[] {
  try {
    return [target.textOf(id)]
  } catch (error) {
    if (error instanceof SchemaError) return []
    throw error
  }
}

const idsInField = ({ via }: RelationRow, loaded: readonly Loaded[]): string[][] =>
  loaded.map(({ document }) => {
    const value = document[(via as { field: string }).field]
    return value === undefined || value === null ? [] : [String(value)]
  })

/** The keys that hold the targets' ids, one for each record; undefined where a field holds them. */
function holdingKeys(
  { repositoryOf }: RelationReader,
  { entity, via }: RelationRow,
  target: Repository,
  loaded: readonly Loaded[],
): IdsAt[] | undefined {
  if ("field" in via) return undefined
  if ("index" in via) {
    const index = target.indexes.find(({ name, kind }) => name === via.index && (kind === "unique") === via.unique)!
    const { idField } = repositoryOf(entity).entity
    return loaded.map(({ id, document }) => {
      const fields = { [index.index.fields[0]!]: document[idField] ?? id }
      const key = index.ready[0]!.build(spread(fields, target.bound))
      return { key, kind: index.kind, form: target.form, index, fields }
    })
  }
  const source = repositoryOf(entity)
  const { set, param } = source.through.owned.find(({ set }) => set.declared.name === via.set)!
  const kind = set.declared.kind === "zset" ? "zset" : "set"
  const form = idFormOf(set.declared)
  return loaded.map(({ id }) => ({ key: set.build({ [param]: id, ...source.bound }), kind, form }))
}

/** Straight from the server, all keys at once. */
export const directReader = (
  repositoryOf: (name: string) => Repository,
  notes: CallNotes | undefined,
): RelationReader => ({
  repositoryOf,
  load: (repository, ids) => loadMany(repository, ids, notes),
  async idsAt(repository, keys) {
    if (keys.length === 0) return []
    const replies = await repository.lane.driver.batch(keys.map(readIds), asking(notes))
    return replies.map((reply, i) => idsOf(reply, keys[i]!))
  },
})

export const readIds = ({ key, kind }: IdsAt): Command =>
  kind === "unique" ? ["GET", key] : kind === "set" ? ["SMEMBERS", key] : ["ZRANGE", key, "0", "-1"]

/** What a key holds, as ids in their order. */
export function idsOf(reply: Reply, { key, kind, form, index }: IdsAt): string[] {
  if (reply instanceof KeywrightError) throw index ? withKeyNamed(index.ready[0]!, key, reply) : reply
  if (kind === "unique") return reply === null ? [] : [form.id(String(reply))]
  const ids = form.ids(reply as readonly string[])
  return kind === "set" ? inOrder(ids) : [...ids]
}
