/* An entity inside a transaction: reads see the transaction's own changes, writes
 * are collected, ids of new records stand for themselves until the commit. */

import { notIncrementable, recordMissing } from "../../errors/record.ts"
import type { Entity } from "../../schema/entity.ts"
import type { Context } from "../make-client.ts"
import type { Attempt } from "../transaction.ts"
import { allIds, count, listIds, loadMany, type ListOptions, type RangeOptions } from "./reads.ts"
import type { Loaded } from "./record-store.ts"
import { Repository } from "./repository.ts"
import { asDocument, type Change, changed, newRecord, type WriteNotes } from "./writes.ts"

type Bound = Readonly<Record<string, unknown>>

export function transactionEntity(
  context: Context,
  attempt: () => Attempt,
  entity: Entity,
  path: string,
  bound: Bound,
): object {
  const { idField } = entity
  const make = () => {
    const lane = context.lane(context.declared.get(path)!.row.db)
    return new Repository(entity, path, context.declared, lane, bound, context.clock)
  }
  let made: Repository | undefined
  const repository = () => (made ??= make())
  const idOf = (which: string | object) =>
    typeof which === "object" ? String((which as Record<string, unknown>)[idField]) : which
  const notesOf = (notes?: WriteNotes): WriteNotes => ({
    ...(attempt().by !== undefined && { by: attempt().by! }),
    ...notes,
  })

  const current = async (id: string): Promise<Loaded> => {
    const loaded = await attempt().record(repository(), id)
    if (!loaded) throw recordMissing(path, id, repository().shown(repository().keyOf(id)))
    return loaded
  }
  const many = async (ids: readonly string[]): Promise<(Loaded | undefined)[]> => {
    const own = repository()
    const loaded = await loadMany(own, ids, attempt().base)
    return loaded.map((one, i) => attempt().sawRecord(own, ids[i]!, one))
  }
  const present = (loaded: readonly (Loaded | undefined)[]) => loaded.flatMap((one) => (one ? [one.record] : []))

  const api = {
    create: async (value: unknown, notes?: WriteNotes) => {
      const { id, allocated, loaded } = newRecord(repository(), attempt().plan, value, notesOf(notes))
      attempt().newRecord(repository(), id, allocated, loaded)
      return loaded.record
    },
    get: async (id: string) => (await attempt().record(repository(), id))?.record,
    getMany: async (ids: readonly string[]) => (await many(ids)).map((one) => one?.record),
    exists: async (id: string) => (await attempt().record(repository(), id)) !== undefined,
    find: async (name: string, fields: Bound) => {
      const index = repository().indexes.find((one) => one.name === name && one.unique)!
      const key = index.declared[0]!.build({ ...bound, ...fields })
      const id = await attempt().send(["GET", key], { safe: true })
      return id === null ? undefined : (await attempt().record(repository(), String(id)))?.record
    },
    list: async (name: string, fields: Bound, options?: RangeOptions) =>
      present(await many(await listIds(repository(), name, fields, options))),
    listIds: async (name: string, fields: Bound, options?: RangeOptions) =>
      listIds(repository(), name, fields, options),
    all: async (options?: ListOptions) => present(await many(await allIds(repository(), options))),
    ids: async (options?: ListOptions) => allIds(repository(), options),
    count: async (name?: string, fields?: Bound) => count(repository(), name, fields),
    update: async (which: string | object, change: Change, notes?: WriteNotes) => {
      const id = idOf(which)
      const now = changed(repository(), id, await current(id), change, notesOf(notes))
      attempt().changeRecord(repository(), id, now)
      return now.record
    },
    replace: async (id: string, value: unknown, notes?: WriteNotes) => {
      const before = await current(id)
      const removed = Object.fromEntries(
        Object.keys(before.document)
          .filter((field) => field !== idField)
          .map((field) => [field, undefined]),
      )
      const now = changed(repository(), id, before, { ...removed, ...asDocument(path, value) }, notesOf(notes))
      attempt().changeRecord(repository(), id, now)
      return now.record
    },
    upsert: async (value: unknown, notes?: WriteNotes) => {
      const id = asDocument(path, value)[idField]
      const before = id === undefined ? undefined : await attempt().record(repository(), String(id))
      return before ? api.update(String(id), value as Change, notes) : api.create(value, notes)
    },
    increment: async (id: string, field: string, by = 1, notes?: WriteNotes) => {
      const value = ((await current(id)).record as Record<string, unknown>)[field]
      if (typeof value !== "number") throw notIncrementable(path, field)
      await api.update(id, { [field]: value + by }, notes)
      return value + by
    },
    delete: async (which: string | object) => {
      const id = idOf(which)
      if (!(await attempt().record(repository(), id))) return false
      attempt().changeRecord(repository(), id, undefined)
      return true
    },
  }
  return api
}
