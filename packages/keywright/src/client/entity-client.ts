/* The repository of an entity, as its users see it: `db.user`. */

import { keyTextOf } from "./call/sent.ts"
import type { Bound } from "./call/ready-key.ts"
import { entityInMulti } from "../errors/record.ts"
import { spread } from "./call/spread.ts"
import type { Stamp } from "../schema/entity.ts"
import type { TtlChoice } from "../schema/ttl.ts"
import { bounded, Deadline } from "./call/deadline.ts"
import { asking, type CallNotes } from "./call/notes.ts"
import type { Context } from "./make-client.ts"
import { scanKeys } from "./call/scan.ts"
import { transaction } from "./transaction/transaction.ts"
import { handOut } from "./entity/handed-out.ts"
import type { LifeNotes, NewLifeNotes } from "./entity/life.ts"
import {
  allIds,
  allRecords,
  count,
  findOne,
  listIds,
  listRecords,
  liveIds,
  loadMany,
  readMany,
  readOne,
  showRecords,
  type ListOptions,
  type RangeOptions,
} from "./entity/reads.ts"
import type { Loaded } from "./entity/record-store.ts"
import type { With, WithRelations } from "./entity/relation-types.ts"
import { directReader, withRelations } from "./entity/relations.ts"
import type { WithTree } from "./entity/with-tree.ts"
import { Repository } from "./entity/repository.ts"
import { boundFor } from "./entity/bound-for.ts"
import { slides } from "./entity/touch.ts"
import { TransactionEntity } from "./transaction/transaction-entity.ts"
import type { RecordNotes } from "./entity/record-notes.ts"
import { create, increment, remove, replace, update, upsert } from "./entity/writes.ts"

const SCAN_PAGE = 200

/**
 * What a new record is made of: the id and the stamps may be left out.
 * @example
 * const ada: NewRecord<{ id: string; email: string; name: string }, "id"> = { email: "ada@example.com", name: "Ada" }
 * await db.user.create(ada)
 */
export type NewRecord<W, IdName> = Omit<W, (IdName & keyof W) | (Stamp & keyof W)> &
  Partial<Pick<W, (IdName & keyof W) | (Stamp & keyof W)>>

/**
 * Some fields; `undefined` removes one.
 * @example
 * const rename: Patch<{ name: string; nickname?: string }> = { name: "Ada Lovelace", nickname: undefined }
 */
export type Patch<W> = { readonly [F in keyof W]?: W[F] | undefined }

/** The fields that an index asks for, with the record's types. */
type IndexFields<R, I, N extends keyof I> = { [F in I[N] & keyof R & string]: NonNullable<R[F]> }

type NumberFields<R> = { [F in keyof R]: NonNullable<R[F]> extends number ? F : never }[keyof R] & string

interface WithOption<A> {
  /** Relations to load along. */
  readonly with?: A
}

/** The notes of a call that may create a record: where one of several lives has to be chosen, they cannot be left out. */
type NewNotes<L> = [L] extends [TtlChoice]
  ? [notes: RecordNotes & NewLifeNotes<L>]
  : [notes?: RecordNotes & LifeNotes<L>]

/**
 * What a client has for an entity: create, read, find by index, list, update and delete records with all their index
 * entries.
 * @example
 * const ada = await db.user.create({ email: "ada@example.com", name: "Ada" })
 * await db.user.update(ada, { name: "Ada Lovelace" })
 * const found = await db.user.find("email", { email: "ada@example.com" })
 */
export interface EntityClient<
  R extends object,
  W,
  U,
  I,
  N = string,
  All = {},
  Rel = {},
  IdName extends string = string,
  L = unknown,
> {
  /**
   * One script, O(indexes): creates a record with all its index entries. Rejects with Conflict when a unique value is
   * taken.
   * Where the schema leaves its life to the writer, `{ ttl: "1h" }` or `{ expireAt }` say when it ends.
   */
  create(value: NewRecord<W, IdName>, ...notes: NewNotes<L>): Promise<R>
  /** GET, or HGETALL of a hash, O(1) or O(fields): the record, or undefined. */
  get(id: string, notes?: CallNotes): Promise<R | undefined>
  get<const A extends With<All, Rel, N>>(
    id: string,
    options: CallNotes & WithOption<A>,
  ): Promise<WithRelations<All, Rel, N, A> | undefined>
  /** MGET, or a batch of HGETALL, O(ids): in the order of the ids, undefined where there is none. */
  getMany(ids: readonly string[], notes?: CallNotes): Promise<(R | undefined)[]>
  /** One script that reads, O(1): the one record that a unique index leads to. */
  find<X extends keyof U>(index: X, fields: IndexFields<R, U, X>, notes?: CallNotes): Promise<R | undefined>
  find<X extends keyof U, const A extends With<All, Rel, N>>(
    index: X,
    fields: IndexFields<R, U, X>,
    options: CallNotes & WithOption<A>,
  ): Promise<WithRelations<All, Rel, N, A> | undefined>
  /**
   * SORT_RO (in a cluster SMEMBERS and MGET), or ZRANGE and MGET, O(records): the records of a set index, by id; or of
   * an ordered one, by score.
   */
  list<X extends keyof I>(index: X, fields: IndexFields<R, I, X>, options?: RangeOptions): Promise<R[]>
  list<X extends keyof I, const A extends With<All, Rel, N>>(
    index: X,
    fields: IndexFields<R, I, X>,
    options: RangeOptions & WithOption<A>,
  ): Promise<WithRelations<All, Rel, N, A>[]>
  /** SMEMBERS, or ZRANGE of an ordered index, O(records): only their ids. */
  listIds<X extends keyof I>(index: X, fields: IndexFields<R, I, X>, options?: RangeOptions): Promise<string[]>
  /** SMEMBERS and MGET, O(records): all records, by id; needs the set of all ids. */
  all(options?: ListOptions): Promise<R[]>
  all<const A extends With<All, Rel, N>>(options: ListOptions & WithOption<A>): Promise<WithRelations<All, Rel, N, A>[]>
  /** SMEMBERS, O(records): all ids, in order; needs the set of all ids. */
  ids(options?: ListOptions): Promise<string[]>
  /** SCARD or ZCARD, O(1): entries of an index, or of the set of all ids. */
  count(notes?: CallNotes): Promise<number>
  count<X extends keyof I>(index: X, fields: IndexFields<R, I, X>, notes?: CallNotes): Promise<number>
  /** EXISTS, O(1): whether there is a record with this id. */
  exists(id: string, notes?: CallNotes): Promise<boolean>
  /**
   * GET and one script, O(indexes): changes some fields; `undefined` removes one. Passing a record instead of an id
   * saves the GET. A function computes the change from the current value, and is called again when another writer was
   * faster.
   */
  update(
    which: string | R,
    change: Patch<W> | ((current: R) => Patch<W>),
    notes?: RecordNotes & LifeNotes<L>,
  ): Promise<R>
  /** GET and one script, O(indexes): replaces the whole record. */
  replace(id: string, value: NewRecord<W, IdName>, notes?: RecordNotes & LifeNotes<L>): Promise<R>
  /** GET and one script, O(indexes): creates it, or updates the record that has its id. */
  upsert(value: NewRecord<W, IdName>, ...notes: NewNotes<L>): Promise<R>
  /** GET and one script, O(indexes): adds to a number; returns its new value. */
  increment<F extends NumberFields<R>>(
    id: string,
    field: F,
    by?: number,
    notes?: RecordNotes & LifeNotes<L>,
  ): Promise<number>
  /** GET and one script, O(indexes): deletes the record and all its index entries. False when there was no record. */
  delete(which: string | R, notes?: RecordNotes): Promise<boolean>
  /**
   * SMEMBERS, a GET for each record and one script, O(records): deletes all records of an index in one step, and its
   * sets entirely, including entries that lead to no record. Returns the number of records.
   */
  deleteAll<X extends keyof I>(index: X, fields: IndexFields<R, I, X>, notes?: CallNotes): Promise<number>
  /** SCAN and MGET, O(keys of the database): all records, whether or not they are in the set of all ids. */
  scan(): AsyncIterable<R>
}

type ReadOptions = CallNotes & WithOption<WithTree>

export function entityClient(context: Context, path: string, bound: Bound): object {
  // Thrown at once, before anything is recorded: nothing of the MULTI is sent then.
  if (context.mode === "multi") throw entityInMulti(path)
  const laneOf = context.entityLane ?? context.laneOf
  const made = new Map<string, Repository>()
  const repositoryOf = (name: string): Repository => {
    let one = made.get(name)
    if (!one) {
      const own = boundFor(context, path, name, bound)
      made.set(name, (one = new Repository(context, name, laneOf(context.ready.get(name)!.declared.db), own)))
    }
    return one
  }
  const repository = () => repositoryOf(path)
  /** A call of this repository. An error before it starts rejects the promise too. */
  const on =
    <A extends unknown[], T>(call: (own: Repository, ...args: A) => Promise<T>) =>
    (...args: A): Promise<T> => {
      try {
        return call(repository(), ...args)
      } catch (error) {
        return Promise.reject(error)
      }
    }
  /** The round trips of one read share one deadline. */
  const withDeadline = <N extends CallNotes>(notes: N | undefined): N => {
    const { driver } = repository().lane
    return notes === undefined ? (new Deadline(driver, notes) as CallNotes as N) : bounded(driver, notes)
  }
  const one = (loaded: Loaded | undefined, options?: ReadOptions) =>
    loaded &&
    (options?.with
      ? withRelations(directReader(repositoryOf, options), path, [loaded], options.with).then(([record]) => record)
      : handOut(loaded))
  const many = (loaded: readonly Loaded[], options?: ReadOptions) =>
    options?.with ? withRelations(directReader(repositoryOf, options), path, loaded, options.with) : loaded.map(handOut)
  const listWith = async (index: string, fields: Bound, options: RangeOptions & WithOption<WithTree>) =>
    many(await listRecords(repository(), index, fields, options), options)

  return {
    create: on(create),
    get: on((own, id: string, options?: ReadOptions) => {
      if (!options?.with && !slides(own)) return readOne(own, id, options).then(handOutIfThere)
      const notes = withDeadline(options)
      return readOne(own, id, notes).then((loaded) => one(loaded, notes))
    }),
    getMany: async (ids: readonly string[], notes?: CallNotes) => {
      const texts = repository().textsOf(ids)
      return (await readMany(repository(), texts, withDeadline(notes))).map((loaded) => loaded && handOut(loaded))
    },
    find: on((own, index: string, fields: Bound, options?: ReadOptions) => {
      const notes = withDeadline(options)
      const finding = findOne(own, index, fields, notes)
      return options?.with ? finding.then((loaded) => one(loaded, notes)) : finding.then(handOutIfThere)
    }),
    list: on((own, index: string, fields: Bound, options?: RangeOptions & WithOption<WithTree>) =>
      options?.with
        ? listWith(index, fields, withDeadline(options))
        : showRecords(own, index, fields, withDeadline(options)),
    ),
    listIds: async (index: string, fields: Bound, options?: RangeOptions) => {
      const notes = withDeadline(options)
      return liveIds(repository(), await listIds(repository(), index, fields, notes), notes)
    },
    all: async (options?: ListOptions & WithOption<WithTree>) => {
      const notes = withDeadline(options)
      return many(await allRecords(repository(), notes), notes)
    },
    ids: async (options?: ListOptions) => {
      const notes = withDeadline(options)
      return liveIds(repository(), await allIds(repository(), notes), notes)
    },
    count: async (index?: string | CallNotes, fields?: Bound, notes?: CallNotes) =>
      typeof index === "string"
        ? count(repository(), index, fields, withDeadline(notes))
        : count(repository(), undefined, undefined, withDeadline(index)),
    exists: async (id: string, notes?: CallNotes) => {
      const own = repository()
      return (await own.lane.send(["EXISTS", own.keyOf(own.textOf(id))], asking(notes))) === 1
    },
    update: on(update),
    replace: on(replace),
    upsert: on(upsert),
    increment: on(increment),
    delete: on(remove),
    deleteAll: async (index: string, fields: Bound, notes?: CallNotes) =>
      transaction(
        {
          laneOf,
          show: keyTextOf(context.keyspace, context.ready),
          databases: [context.ready.get(path)!.declared.db],
          timeoutMs: repository().lane.driver.timeoutMs,
          clientOn: (laneOf, attempt) =>
            new TransactionEntity({ ...context, laneOf, attempt }, attempt, repository().entity, path, bound),
        },
        (entity: TransactionEntity) => entity.deleteAll(index, fields),
        // The code is the same for every index and tenant: an operation id would not distinguish them.
        spread(notes, { operationId: undefined }),
      ),
    scan: () => scanRecords(repository()),
  }
}

const handOutIfThere = (loaded: Loaded | undefined): object | undefined => loaded && handOut(loaded)

/** All records by SCAN, a page at a time. */
async function* scanRecords(repository: Repository): AsyncGenerator<object> {
  const { record, entity, lane, bound, context } = repository
  const rivals = record.declared.rivals.map((rival) => context.ready.get(rival)!.format)
  let ids: string[] = []
  const loaded = async () => (await loadMany(repository, ids.splice(0))).flatMap((one) => (one ? [handOut(one)] : []))
  for await (const key of scanKeys(lane.driver, record.format.glob(bound))) {
    const id = record.format.locate(key)?.[entity.idField]
    if (id === undefined || rivals.some((format) => format.locate(key))) continue
    if (ids.push(id) >= SCAN_PAGE) yield* await loaded()
  }
  yield* await loaded()
}
