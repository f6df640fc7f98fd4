/* An entity inside a transaction: reads see the transaction's own changes, writes
 * are collected, ids of new records stand for themselves until the commit. */

import { entityScanned, recordExists, recordMissing } from "../../errors/record.ts"
import type { Entity } from "../../schema/entity.ts"
import type { Context } from "../make-client.ts"
import type { Attempt } from "../attempt.ts"
import { requireBound } from "./entity-client.ts"
import { follow } from "./follow.ts"
import { isDerived } from "../plan.ts"
import { holdersOf } from "./holders.ts"
import { indexOf, isIn, keyIn, listOf, type ListOptions, page, rangeOf, type RangeOptions } from "./reads.ts"
import type { Loaded } from "./record-store.ts"
import { type RelationReader, readIds, idsOf as idsIn, withRelations, type WithTree } from "./relations.ts"
import { Repository } from "./repository.ts"
import {
  asDocument,
  type Change,
  changed,
  checkVersion,
  idOf,
  incremented,
  newRecord,
  replaced,
  type WriteNotes,
} from "./writes.ts"

type Bound = Readonly<Record<string, unknown>>
interface WithOption {
  readonly with?: WithTree
}

export function transactionEntity(
  context: Context,
  attempt: () => Attempt,
  entity: Entity,
  path: string,
  bound: Bound,
): object {
  const { idField } = entity
  const made = new Map<string, Repository>()
  const repositoryOf = (name: string): Repository => {
    let one = made.get(name)
    if (!one) {
      requireBound(context, name, bound)
      made.set(name, (one = new Repository(context, name, context.lane(context.declared.get(name)!.row.db), bound)))
    }
    return one
  }
  const repository = () => repositoryOf(path)
  const notesOf = (notes?: WriteNotes): WriteNotes => ({
    ...(attempt().by !== undefined && { by: attempt().by! }),
    ...notes,
  })

  const current = async (id: string, notes?: WriteNotes): Promise<Loaded> => {
    const own = repository()
    const loaded = await attempt().record(own, id)
    if (!loaded) throw recordMissing(path, id, own.shown(own.keyOf(id)))
    if (notes?.version !== undefined) checkVersion(own, loaded, notes.version)
    return loaded
  }
  const reader: RelationReader = {
    repositoryOf,
    load: (target, ids) => attempt().records(target, ids),
    idsAt: (target, keys) =>
      Promise.all(
        keys.map(async (at) => {
          const { key, kind, index, fields } = at
          const ids = idsIn(await attempt().send(readIds({ key, kind }), { safe: true }), at)
          return index ? attempt().seen(target, ids, (loaded) => isIn(target, index, fields!, loaded)) : ids
        }),
      ),
  }
  const one = async (loaded: Loaded | undefined, options?: WithOption) =>
    loaded && (options?.with ? (await withRelations(reader, path, [loaded], options.with))[0] : loaded.record)
  const many = async (loaded: readonly Loaded[], options?: WithOption) =>
    options?.with ? withRelations(reader, path, loaded, options.with) : loaded.map((each) => each.record)

  /** What the next reads will ask for, in one round trip. */
  const readAhead = async (key: string, isIndex: boolean, options?: WithOption): Promise<void> => {
    const { base } = attempt()
    base.learn(await follow(base, repositoryOf, path, { key, isIndex }, options?.with ?? NOTHING))
  }

  /** Ids of an index with this transaction's own changes in it; ordered ones by score. */
  const idsOfIndex = async (name: string, fields: Bound, options: RangeOptions = {}): Promise<string[]> => {
    const own = repository()
    const index = indexOf(own, name, false)
    const key = keyIn(own, index, fields)
    const inIndex = (loaded: Loaded) => isIn(own, index, fields, loaded)
    if (index.kind === "set") {
      const ids = (await attempt().send(["SMEMBERS", key], { safe: true })) as string[]
      return page(attempt().seen(own, ids, inIndex), options)
    }
    const range = [...rangeOf(key, options), "WITHSCORES"]
    const reply = (await attempt().send(range, { safe: true })) as string[]
    const scores = new Map<string, number>()
    for (let i = 0; i < reply.length; i += 2) scores.set(reply[i]!, Number(reply[i + 1]))
    for (const { id, now } of attempt().touched(own)) {
      scores.delete(id)
      const score = now && own.entriesOf(now.document).find((entry) => entry.key === key)?.score
      const { min = -Infinity, max = Infinity } = options
      if (score !== undefined && Number(score) >= Number(min) && Number(score) <= Number(max))
        scores.set(id, Number(score))
    }
    const sorted = [...scores].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)).map(([id]) => id)
    if (options.reverse) sorted.reverse()
    const { offset = 0, limit } = options
    return sorted.slice(offset, limit === undefined || limit < 0 ? undefined : offset + limit)
  }
  const idsOfAll = async (options?: ListOptions): Promise<string[]> => {
    const own = repository()
    const ids = (await attempt().send(["SMEMBERS", listOf(own)], { safe: true })) as string[]
    return page(
      attempt().seen(own, ids, () => true),
      options,
    )
  }
  const loadAll = async (ids: readonly string[]): Promise<Loaded[]> =>
    (await attempt().records(repository(), ids)).filter((loaded) => loaded !== undefined)

  const api = {
    create: async (value: unknown, notes?: WriteNotes) => {
      const own = repository()
      const given = asDocument(path, value)[idField]
      const there = given === undefined ? undefined : await attempt().record(own, own.textOf(given))
      if (there) throw recordExists(path, there.id, own.shown(own.keyOf(there.id)))
      const { id, allocated, loaded } = newRecord(own, attempt().plan, value, notesOf(notes))
      attempt().newRecord(own, id, allocated, loaded)
      return loaded.record
    },
    get: async (id: string, options?: WithOption) => {
      const own = repository()
      const text = own.textOf(id)
      if (options?.with && !isDerived(text)) await readAhead(own.keyOf(text), false, options)
      return one(await attempt().record(own, text), options)
    },
    getMany: async (ids: readonly string[]) =>
      (
        await attempt().records(
          repository(),
          ids.map((id) => repository().textOf(id)),
        )
      ).map((loaded) => loaded?.record),
    exists: async (id: string) => (await attempt().record(repository(), repository().textOf(id))) !== undefined,
    find: async (name: string, fields: Bound, options?: WithOption) => {
      const own = repository()
      const index = indexOf(own, name, true)
      const mine = attempt()
        .touched(own)
        .find(({ now }) => now && isIn(own, index, fields, now))
      if (mine) return one(mine.now, options)
      const key = keyIn(own, index, fields)
      await readAhead(key, true, options)
      const id = await attempt().send(["GET", key], { safe: true })
      const loaded = id === null ? undefined : await attempt().record(own, String(id))
      return loaded && isIn(own, index, fields, loaded) ? one(loaded, options) : undefined
    },
    list: async (name: string, fields: Bound, options?: RangeOptions & WithOption) => {
      const own = repository()
      const index = indexOf(own, name, false)
      const loaded = await loadAll(await idsOfIndex(name, fields, options))
      return many(
        loaded.filter((each) => isIn(own, index, fields, each)),
        options,
      )
    },
    listIds: idsOfIndex,
    all: async (options?: ListOptions & WithOption) => many(await loadAll(await idsOfAll(options)), options),
    ids: idsOfAll,
    count: async (name?: string, fields: Bound = {}) =>
      (await loadAll(await (name === undefined ? idsOfAll() : idsOfIndex(name, fields)))).length,
    update: async (which: string | object, change: Change, notes?: WriteNotes) => {
      const own = repository()
      const id = idOf(own, which)
      const now = changed(own, id, await current(id, notes), change, notesOf(notes))
      attempt().changeRecord(own, id, now)
      return now.record
    },
    replace: async (which: string, value: unknown, notes?: WriteNotes) => {
      const own = repository()
      const id = own.textOf(which)
      const now = replaced(own, id, await current(id, notes), value, notesOf(notes))
      attempt().changeRecord(own, id, now)
      return now.record
    },
    upsert: async (value: unknown, notes?: WriteNotes): Promise<object> => {
      const id = asDocument(path, value)[idField]
      const before = id === undefined ? undefined : await attempt().record(repository(), repository().textOf(id))
      return before ? api.update(before.id, value as Change, notes) : api.create(value, notes)
    },
    increment: async (id: string, field: string, by = 1, notes?: WriteNotes) => {
      const now = await api.update(id, (record) => incremented(path, record, field, by), notes)
      return (now as Record<string, number>)[field]!
    },
    delete: async (which: string | object, notes?: WriteNotes) => {
      const own = repository()
      const id = idOf(own, which)
      if (!(await attempt().record(own, id))) return false
      if (notes?.version !== undefined) await current(id, notes)
      attempt().changeRecord(own, id, undefined, await holdersOf(own, id))
      return true
    },
    scan: () => {
      throw entityScanned(path)
    },
  }
  return api
}

const NOTHING: WithTree = Object.freeze({})
