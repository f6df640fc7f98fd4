/* An entity inside a transaction: reads see the transaction's own changes, writes are
 * collected, ids of new records are placeholders until the commit. */

import type { Bound } from "../call/ready-key.ts"
import type { Reply } from "../../driver/driver.ts"
import { entityScanned, recordExists, recordMissing } from "../../errors/record.ts"
import type { Entity } from "../../schema/entity.ts"
import type { Context } from "../make-client.ts"
import type { Attempt } from "./attempt.ts"
import { follow } from "../entity/follow.ts"
import { hasPlaceholder } from "../plan/placeholder.ts"
import { holdersOf } from "../entity/holders.ts"
import { hasEntry } from "../entity/index-entries.ts"
import { naming } from "../entity/naming.ts"
import {
  indexOf,
  keyIn,
  keysIn,
  listDeclared,
  listOf,
  type ListOptions,
  page,
  requirePage,
  rangeOf,
  type RangeOptions,
} from "../entity/reads.ts"
import type { Loaded } from "../entity/record-store.ts"
import { type IdsAt, type RelationReader, readIds, idsOf as idsIn, withRelations } from "../entity/relations.ts"
import type { WithTree } from "../entity/with-tree.ts"
import { asDocument, incremented, patched, type RecordChange, replaced, requireField } from "../entity/next-document.ts"
import { Repository } from "../entity/repository.ts"
import { boundFor } from "../entity/bound-for.ts"
import type { RecordNotes } from "../entity/record-notes.ts"
import { checkVersion, idOf, newRecord } from "../entity/writes.ts"

interface WithOption {
  readonly with?: WithTree
}

/** A class, because each transaction makes its own instance: methods on a prototype cost nothing. */
export class TransactionEntity {
  readonly #context: Context
  readonly #attempt: () => Attempt
  readonly #idField: string
  readonly #path: string
  readonly #bound: Bound
  readonly #isScoped: boolean
  /** Repositories in a scope; those outside any scope belong to the attempt. */
  #made: Map<string, Repository> | undefined
  #own: Repository | undefined
  #reader: RelationReader | undefined

  constructor(context: Context, attempt: () => Attempt, entity: Entity, path: string, bound: Bound) {
    this.#context = context
    this.#attempt = attempt
    this.#idField = entity.idField
    this.#path = path
    this.#bound = bound
    this.#isScoped = Object.keys(bound).length > 0
  }

  async create(value: unknown, notes?: RecordNotes): Promise<object> {
    const { own, attempt } = this.#here()
    const given = asDocument(this.#path, value)[this.#idField]
    const there = given === undefined ? undefined : await attempt.records.one(own, own.textOf(given))
    if (there) throw recordExists(this.#path, own.shownId(there.id), own.shown(own.keyOf(there.id)))
    const { id, allocated, loaded } = newRecord(own, attempt.plan, value, this.#notes(notes))
    attempt.records.add(own, id, allocated, loaded)
    return loaded.record
  }

  async get(id: string, options?: WithOption): Promise<object | undefined> {
    const { own, attempt } = this.#here()
    const text = own.textOf(id)
    if (options?.with && !hasPlaceholder(text)) await this.#readAhead(own.keyOf(text), false, options)
    return this.#one(await attempt.records.one(own, text), options)
  }

  async getMany(ids: readonly string[]): Promise<(object | undefined)[]> {
    const { own, attempt } = this.#here()
    const texts = own.textsOf(ids)
    return (await attempt.records.many(own, texts)).map((loaded) => loaded?.record)
  }

  async exists(id: string): Promise<boolean> {
    const { own, attempt } = this.#here()
    return (await attempt.records.one(own, own.textOf(id))) !== undefined
  }

  async find(name: string, fields: Bound, options?: WithOption): Promise<object | undefined> {
    const { own, attempt } = this.#here()
    const index = indexOf(own, name, true)
    const mine = attempt.records.touched(own).find(({ now }) => now && hasEntry(own, index, now.document, fields))
    if (mine) return this.#one(mine.now, options)
    const key = keyIn(own, index, fields)
    // Also if there is none yet: the next transaction may look for the one that this one creates.
    attempt.base.looksAt(own.head)
    await this.#readAhead(key, true, options)
    const id = await naming(index.ready[0]!, key, attempt.keys.read(["GET", key]))
    const loaded = id === null ? undefined : await attempt.records.one(own, own.form.id(String(id)))
    return loaded && hasEntry(own, index, loaded.document, fields) ? this.#one(loaded, options) : undefined
  }

  async list(name: string, fields: Bound, options?: RangeOptions & WithOption): Promise<object[]> {
    const { own } = this.#here()
    const index = indexOf(own, name, false)
    const loaded = await this.#loadAll(await this.listIds(name, fields, options))
    return this.#many(
      loaded.filter((each) => hasEntry(own, index, each.document, fields)),
      options,
    )
  }

  /** Ids of an index with this transaction's own changes in it; ordered ones by score. */
  async listIds(name: string, fields: Bound, options: RangeOptions = {}): Promise<string[]> {
    const { own, attempt } = this.#here()
    const index = indexOf(own, name, false)
    const key = keyIn(own, index, fields)
    if (index.kind === "zset") return naming(index.ready[0]!, key, this.#orderedIds(key, options))
    const ids = (await naming(index.ready[0]!, key, attempt.keys.read(["SMEMBERS", key]))) as string[]
    return page(
      attempt.records.seen(own, own.form.ids(ids), (loaded) => hasEntry(own, index, loaded.document, fields)),
      options,
    )
  }

  async all(options?: ListOptions & WithOption): Promise<object[]> {
    return this.#many(await this.#loadAll(await this.ids(options)), options)
  }

  async ids(options?: ListOptions): Promise<string[]> {
    const { own, attempt } = this.#here()
    const ids = (await naming(listDeclared(own), listOf(own), attempt.keys.read(["SMEMBERS", listOf(own)]))) as string[]
    return page(
      attempt.records.seen(own, own.form.ids(ids), () => true),
      options,
    )
  }

  async count(name?: unknown, fields: Bound = {}): Promise<number> {
    const ids = await (typeof name === "string" ? this.listIds(name, fields) : this.ids())
    return (await this.#loadAll(ids)).length
  }

  async update(which: string | object, change: RecordChange, notes?: RecordNotes): Promise<object> {
    const { own, attempt } = this.#here()
    const id = idOf(own, which)
    const before = await this.#current(id, notes)
    const now = patched(own, id, before, change, this.#notes(notes))
    attempt.records.change(own, id, living(now, before))
    return now.record
  }

  async replace(which: string, value: unknown, notes?: RecordNotes): Promise<object> {
    const { own, attempt } = this.#here()
    const id = own.textOf(which)
    const before = await this.#current(id, notes)
    const now = replaced(own, id, before, value, this.#notes(notes))
    attempt.records.change(own, id, living(now, before))
    return now.record
  }

  async upsert(value: unknown, notes?: RecordNotes): Promise<object> {
    const { own, attempt } = this.#here()
    const id = asDocument(this.#path, value)[this.#idField]
    const before = id === undefined ? undefined : await attempt.records.one(own, own.textOf(id))
    return before ? this.update(before.id, value as RecordChange, notes) : this.create(value, notes)
  }

  async increment(id: string, field: string, by = 1, notes?: RecordNotes): Promise<number> {
    requireField(field)
    const { own } = this.#here()
    const now = await this.update(id, (record) => incremented(own, id, record, field, by), notes)
    return (now as Record<string, number>)[field]!
  }

  async delete(which: string | object, notes?: RecordNotes): Promise<boolean> {
    const { own, attempt } = this.#here()
    const id = idOf(own, which)
    const isThere = (await attempt.records.one(own, id)) !== undefined
    if (isThere && notes?.version !== undefined) await this.#current(id, notes)
    const created = (owner: string) => attempt.records.created(this.#repositoryOf(owner))
    // Also when it was deleted before: then an earlier call may have been cut short before all sets were left.
    const holders = await holdersOf(own, id, attempt.notes(), created)
    attempt.records.change(own, id, undefined, holders)
    if (!isThere) return false
    await attempt.leave(own, id)
    await attempt.keys.drop(own.ownedSets(id))
    return true
  }

  async deleteAll(name: string, fields: Bound): Promise<number> {
    const { own, attempt } = this.#here()
    const index = indexOf(own, name, false)
    let deleted = 0
    for (const id of await this.listIds(name, fields)) {
      const loaded = await attempt.records.one(own, id)
      if (loaded && hasEntry(own, index, loaded.document, fields) && (await this.delete(id))) deleted++
    }
    attempt.records.dropSets(own, keysIn(own, index, fields), index.kind as "set" | "zset")
    return deleted
  }

  scan(): never {
    throw entityScanned(this.#path)
  }

  #here(): { readonly own: Repository; readonly attempt: Attempt } {
    const own = (this.#own ??= this.#repositoryOf(this.#path))
    return { own, attempt: this.#attempt() }
  }

  #repositoryOf(name: string): Repository {
    if (!this.#isScoped) return this.#attemptOf(name).repository(name, () => this.#make(name))
    let one = this.#made?.get(name)
    if (!one) (this.#made ??= new Map()).set(name, (one = this.#make(name)))
    return one
  }

  /** The attempt, in the database that the entity is in. */
  #attemptOf(name: string): Attempt {
    this.#context.laneOf(this.#context.ready.get(name)!.declared.db)
    return this.#attempt()
  }

  #make(name: string): Repository {
    const bound = boundFor(this.#context, this.#path, name, this.#bound)
    return new Repository(this.#context, name, this.#context.laneOf(this.#context.ready.get(name)!.declared.db), bound)
  }

  #notes(notes?: RecordNotes): RecordNotes | undefined {
    const { by } = this.#attempt()
    return by === undefined ? notes : { by, ...notes }
  }

  async #current(id: string, notes?: RecordNotes): Promise<Loaded> {
    const { own, attempt } = this.#here()
    const loaded = await attempt.records.one(own, id)
    if (!loaded) throw recordMissing(this.#path, own.shownId(id), own.shown(own.keyOf(id)))
    if (notes?.version !== undefined) checkVersion(own, loaded, notes.version)
    return loaded
  }

  async #loadAll(ids: readonly string[]): Promise<Loaded[]> {
    const { own, attempt } = this.#here()
    return (await attempt.records.many(own, ids)).filter((loaded) => loaded !== undefined)
  }

  async #orderedIds(key: string, options: RangeOptions): Promise<string[]> {
    const { own, attempt } = this.#here()
    const reply = (await attempt.keys.read([...rangeOf(key, options), "WITHSCORES"])) as string[]
    const scores = new Map<string, number>()
    for (let i = 0; i < reply.length; i += 2) scores.set(own.form.id(reply[i]!), Number(reply[i + 1]))
    for (const { id, now } of attempt.records.touched(own)) {
      scores.delete(id)
      const score = now && own.entriesOf(now.document).find((entry) => entry.key === key)?.score
      const { min = -Infinity, max = Infinity } = options
      if (score !== undefined && Number(score) >= Number(min) && Number(score) <= Number(max))
        scores.set(id, Number(score))
    }
    const sorted = [...scores].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)).map(([id]) => id)
    if (options.reverse) sorted.reverse()
    const { offset = 0, limit } = options
    requirePage(offset, limit)
    return sorted.slice(offset, limit === undefined ? undefined : offset + limit)
  }

  #one(loaded: Loaded | undefined, options?: WithOption): object | undefined | Promise<object | undefined> {
    if (!loaded || !options?.with) return loaded?.record
    return withRelations(this.#relations(), this.#path, [loaded], options.with).then(([record]) => record)
  }

  #many(loaded: readonly Loaded[], options?: WithOption): object[] | Promise<object[]> {
    if (options?.with) return withRelations(this.#relations(), this.#path, loaded, options.with)
    return loaded.map((each) => each.record)
  }

  /** What the next reads will ask for, in one round trip. */
  async #readAhead(key: string, isIndex: boolean, options?: WithOption): Promise<void> {
    const { base } = this.#attempt()
    if (base.text(key) !== undefined) return
    const { repositoryOf } = this.#relations()
    base.learn(await follow(base, repositoryOf, this.#path, { key, isIndex }, options?.with ?? NOTHING))
  }

  #relations(): RelationReader {
    const attempt = this.#attempt()
    return (this.#reader ??= {
      repositoryOf: (name) => this.#repositoryOf(name),
      load: (target, ids) => attempt.records.many(target, ids),
      idsAt: (target, keys) => {
        const all = keys.map((at) => idsAt(attempt, target, at))
        return all.some((ids) => ids instanceof Promise) ? Promise.all(all) : (all as (readonly string[])[])
      },
    })
  }
}

/** A record that the transaction has already written keeps the life that it was given then. */
function living(now: Loaded, before: Loaded): Loaded {
  if (now.chosenLife === undefined && before.chosenLife !== undefined) now.chosenLife = before.chosenLife
  return now
}

/** The ids at a key, as the transaction sees them. */
function idsAt(attempt: Attempt, target: Repository, at: IdsAt): readonly string[] | Promise<readonly string[]> {
  const { index, fields } = at
  const seen = (reply: Reply) => {
    const ids = idsIn(reply, at)
    return index
      ? attempt.records.seen(target, ids, (loaded) => hasEntry(target, index, loaded.document, fields!))
      : ids
  }
  const reply = attempt.keys.read(readIds(at))
  if (!(reply instanceof Promise)) return seen(reply)
  return (index ? naming(index.ready[0]!, at.key, reply) : reply).then(seen)
}

const NOTHING: WithTree = Object.freeze({})
