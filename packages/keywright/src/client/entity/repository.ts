/* What the operations of one entity share: its keys, its store, and how a change of
 * a record becomes a plan. Documents, indexes, mirrors, uniques, the list, relation
 * sets and the deadline are written together, by one script, or not at all. */

import type { Reply } from "../../driver/driver.ts"
import { argumentRefused, ttlBeyond } from "../../errors/client.ts"
import type { KeywrightError } from "../../errors/error.ts"
import { recordExists, recordWrongType, RecordChanged, uniqueTaken } from "../../errors/record.ts"
import { fromMs } from "../../schema/duration.ts"
import type { Entity } from "../../schema/entity.ts"
import { HIDDEN } from "../../schema/secret-params.ts"
import { type Bound, type ReadyKey, redactKey } from "../call/ready-key.ts"
import type { Lane } from "../call/lane.ts"
import { hasPlaceholder } from "../plan/placeholder.ts"
import type { Plan } from "../plan/plan.ts"
import type { SetOwner } from "../plan/writes/move-member.ts"
import { entriesEntered, entriesLeft, type IndexEntry, type IndexKeys, sameEntries } from "./index-entries.ts"
import { noteOf } from "./expiry.ts"
import type { IdForm } from "./id-form.ts"
import { idText } from "./id-text.ts"
import { changedLife, type Ending, newLife } from "./life.ts"
import { handOut, version } from "./handed-out.ts"
import { type Document, type Loaded, type RecordStore, settingEnd } from "./record-store.ts"
import { repositoryParts, type RepositoryContext } from "./repository-parts.ts"
import type { ThroughSets } from "./through-sets.ts"

const MOST_TEXTS = 1000

/** A set that a deleted id is to be removed from. */
export interface Holder {
  readonly key: string
  readonly kind: "set" | "zset"
  readonly form: IdForm
}

export class Repository implements SetOwner {
  readonly context: RepositoryContext
  readonly name: string
  readonly entity: Entity
  readonly lane: Lane
  readonly bound: Bound
  /** With what decides on the shard of its group, where that is bound: calls may not name another one. */
  readonly named: Bound
  readonly store: RecordStore
  readonly record: ReadyKey
  readonly indexes: readonly IndexKeys[]
  /** The text before and after the id in a record's key. */
  readonly head: string
  readonly tail: string
  readonly counter: string | undefined
  /** The counter as it may be printed. */
  readonly counterShown: string | undefined
  readonly list: string | undefined
  /** How its ids are stored in the list, in sets and in unique indexes. */
  readonly form: IdForm
  /** Where the deadlines of records with a TTL are noted, for the sweeper. */
  readonly expiry: string
  /** The longest that a record lives, in milliseconds; undefined: records never expire. */
  readonly longestMs: number | undefined
  /** The texts of the scope's parameters. */
  readonly boundTexts: Readonly<Record<string, string>>
  readonly through: ThroughSets
  readonly hasUnique: boolean
  /** Whether parameters of a scope are bound. */
  readonly isScoped: boolean
  /** Ids that were already checked; not kept for entities in a scope. */
  readonly #texts: Map<string, string>

  constructor(context: RepositoryContext, name: string, lane: Lane, bound: Bound) {
    const parts = repositoryParts(context, name, lane.driver.cluster, bound)
    this.context = context
    this.name = name
    this.lane = lane
    this.entity = parts.entity
    this.record = parts.record
    this.bound = parts.bound
    this.named = parts.named
    this.store = parts.store
    this.indexes = parts.indexes
    this.head = parts.head
    this.tail = parts.tail
    this.counter = parts.counter
    this.counterShown = parts.counterShown
    this.list = parts.list
    this.form = parts.form
    this.expiry = parts.expiry
    this.longestMs = parts.longestMs
    this.boundTexts = parts.boundTexts
    this.through = parts.through
    this.hasUnique = parts.hasUnique
    this.isScoped = parts.isScoped
    this.#texts = parts.texts
  }

  /** An id as it is written in keys, checked by its codec. An id that is already in that form is accepted too. */
  textOf(id: unknown): string {
    if (this.isScoped || typeof id !== "string") return idText(this, id)
    let known = this.#texts.get(id)
    if (known === undefined) {
      if (this.#texts.size >= MOST_TEXTS) this.#texts.clear()
      known = idText(this, id)
      if (!hasPlaceholder(id)) this.#texts.set(id, known)
    }
    return known
  }

  /** Several ids, as they are written in keys. */
  textsOf(ids: readonly unknown[]): string[] {
    if (!Array.isArray(ids)) throw argumentRefused("ids", "an array", ids)
    return ids.map((id) => this.textOf(id))
  }

  /** The key for an id that is already in the form used in keys. */
  keyOf(id: string): string {
    return this.head + id + this.tail
  }

  /** A record's key as it may be printed. */
  shown(key: string): string {
    return redactKey(this.record, key)
  }

  /** An id as it may be printed. */
  shownId(id: string): string {
    return this.record.secrets.has(this.entity.idField) ? HIDDEN : id
  }

  entriesOf(document: Document): IndexEntry[] {
    return this.indexes.flatMap((index) => entriesLeft(this, index, document))
  }

  /** The id of a record that comes from the counter: a placeholder until the script has allocated it. */
  allocate(plan: Plan): string {
    return plan.allocate(this.counter!, this, this.counterShown)
  }

  /** Plans a record that does not exist yet: its id was allocated, or must be free. */
  planCreate(plan: Plan, id: string, allocated: boolean, now: Loaded): void {
    const key = this.keyOf(id)
    if (!allocated)
      this.store.expect(plan, key, undefined, () => recordExists(this.name, this.shownId(id), this.shown(key)))
    const ending = newLife(this.record.declared, now.chosenLife)
    this.#expectAhead(plan, ending)
    for (const index of this.indexes)
      for (const entry of entriesEntered(this, index, now.document)) this.#enter(plan, id, key, entry, ending)
    if (this.list !== undefined) plan.enter(this.list, this.form.stored(id), this)
    this.store.write(plan, key, now, undefined, ending)
    this.#planEnding(plan, id, key, undefined, now, ending)
    this.#requireReplicas(plan)
  }

  /** Plans a change of a record that exists and is as it was loaded. */
  planUpdate(plan: Plan, id: string, before: Loaded, now: Loaded): void {
    const key = this.keyOf(id)
    const ending = changedLife(this.record.declared, now.chosenLife)
    this.#expectAhead(plan, ending)
    this.expectUnchanged(plan, id, before, key)
    // Before its index entries: by this order encode-plan.ts recognises a save that has its own script. Ids that are
    // quoted in some sets make two moves, so they take apply.lua.
    this.store.write(plan, key, now, before, ending)
    const { document: old } = before
    const { document: next } = now
    for (const index of this.indexes) this.#moveEntries(plan, id, key, index, old, next, ending)
    this.#planEnding(plan, id, key, before, now, ending)
    this.#requireReplicas(plan)
  }

  /** Plans a deletion, including its membership in the sets of others; the sets that it owns are for the caller to delete. */
  planDelete(plan: Plan, id: string, before: Loaded, holders: readonly Holder[] = []): void {
    const key = this.keyOf(id)
    this.expectUnchanged(plan, id, before)
    for (const entry of this.entriesOf(before.document)) this.#leave(plan, id, entry)
    if (this.list !== undefined) this.#leave(plan, id, { key: this.list, kind: "set" })
    this.planLeaving(plan, id, holders)
    plan.write("UNLINK", key)
    this.#planEnding(plan, id, key, before, undefined, undefined)
    this.#requireReplicas(plan)
  }

  /** Plans that an id leaves the sets of other records. */
  planLeaving(plan: Plan, id: string, holders: readonly Holder[]): void {
    for (const holder of holders) this.#leave(plan, id, holder, holder.form)
  }

  /** Unique values that a change gives up, so that another record of the same plan may take them. */
  planRelease(plan: Plan, id: string, before: Loaded, now: Loaded | undefined): void {
    const kept = new Set(now && this.entriesOf(now.document).map(({ key }) => key))
    for (const { key, kind } of this.entriesOf(before.document))
      if (kind === "unique" && !kept.has(key)) plan.released.set(key, id)
  }

  expectUnchanged(plan: Plan, id: string, before: Loaded, key = this.keyOf(id)): void {
    this.store.expect(plan, key, before, (found) => this.conflictOf(id, found))
  }

  /** The conflict that a save meets when another writer was faster; it carries what is stored now. */
  conflictOf(id: string, found: Reply): RecordChanged {
    const current = this.store.type === "string" && typeof found === "string" ? this.store.load(id, found) : undefined
    const shown = this.shown(this.keyOf(id))
    return new RecordChanged(
      this.name,
      this.shownId(id),
      shown,
      current && (() => handOut(current)),
      current && version(current.raw),
      current,
    )
  }

  /** The keys of the sets that end with a record. */
  ownedSets(id: string): string[] {
    return this.through.owned.map(({ set, param }) => set.build({ [param]: id, ...this.bound }))
  }

  /** The member that is kept for the sweeper: the id, and the texts that appear in the keys of the record's sets. */
  expiryNote(id: string, document: Document): string {
    const texts: Record<string, string> = { ...this.boundTexts }
    for (const index of this.indexes) {
      if (index.kind === "unique") continue
      const [entry] = entriesLeft(this, index, document)
      const found = entry?.ready.format.locate(entry.key)
      for (const field of found ? index.index.fields : []) texts[field] = found![field]!
    }
    delete texts[this.entity.idField]
    return noteOf(id, texts)
  }

  #moveEntries(
    plan: Plan,
    id: string,
    recordKey: string,
    index: IndexKeys,
    old: Document,
    next: Document,
    ending: Ending,
  ): void {
    const renews = index.kind === "unique" && ending !== undefined && ending !== "kept"
    if (!renews && sameEntries(index, old, next)) return
    const before = entriesLeft(this, index, old)
    const now = entriesEntered(this, index, next)
    for (let i = 0; i < now.length; i++) {
      const [entry, was] = [now[i]!, before[i]]
      const isSame = was?.key === entry.key && was.score === entry.score
      if (!isSame || renews) this.#enter(plan, id, recordKey, entry, ending)
    }
    for (let i = 0; i < before.length; i++) if (now[i]?.key !== before[i]!.key) this.#leave(plan, id, before[i]!)
  }

  #enter(plan: Plan, id: string, recordKey: string, entry: IndexEntry, ending: Ending): void {
    const { key, kind, index, score, ready } = entry
    const stored = this.form.stored(id)
    if (kind === "set") return plan.enter(key, stored, this)
    if (kind === "zset") {
      this.#expectType(plan, key, kind)
      return plan.write("ZADD", key, score!, stored)
    }
    const conflict = (holder: unknown) =>
      uniqueTaken(
        this.name,
        hasPlaceholder(id) ? "" : this.shownId(id),
        index,
        redactKey(ready, key),
        this.shownId(String(holder)),
      )
    const other = plan.taken.get(key)
    if (other !== undefined && other !== id) throw conflict(other)
    plan.taken.set(key, id)
    if (hasPlaceholder(key)) this.#expectType(plan, key, "string")
    else {
      const { head, tail } = this
      const holder = plan.released.get(key) ?? id
      const { isQuoted } = this.form
      plan.checks.push({ check: "unique-free", key, id: holder, record: { head, tail }, isQuoted, onFailure: conflict })
    }
    plan.write("SET", key, stored, ...(ending === "kept" ? [] : settingEnd(ending)))
    if (ending === "kept") plan.writes.push({ write: "live-as", key, record: recordKey })
  }

  #leave(plan: Plan, id: string, { key, kind }: Pick<IndexEntry, "key" | "kind">, form = this.form): void {
    if (kind === "zset") this.#expectType(plan, key, kind)
    for (const stored of form.forms(id)) {
      if (kind === "set") plan.leave(key, stored, this)
      else if (kind === "zset") plan.write("ZREM", key, stored)
      else plan.writes.push({ write: "delete-if", key, value: stored })
    }
  }

  /**
   * Checks that an instant named by the caller is in the future, and no later than the schema allows, by the
   * server's clock.
   */
  #expectAhead(plan: Plan, ending: Ending): void {
    if (typeof ending !== "object") return
    const { pattern } = this.record.declared
    const [ms, longest] = [this.longestMs!, fromMs(this.longestMs!)]
    const onFailure = (found: Reply) =>
      ttlBeyond(pattern, longest, found === "past" ? "an end that has passed" : "an end beyond that")
    plan.checks.push({ check: "ahead", key: this.expiry, at: ending.at, ms, onFailure })
  }

  /** Notes when a record ends, and what ends with it. */
  #planEnding(
    plan: Plan,
    id: string,
    key: string,
    before: Loaded | undefined,
    now: Loaded | undefined,
    ending: Ending,
  ): void {
    if (this.longestMs === undefined) return
    const old = before && this.expiryNote(id, before.document)
    const next = now && ending !== "never" ? this.expiryNote(id, now.document) : undefined
    this.#expectType(plan, this.expiry, "zset")
    if (old !== undefined && old !== next) plan.write("ZREM", this.expiry, old)
    if (next === undefined) return
    this.context.noted?.()
    const note = { write: "note-end", key: this.expiry, member: next } as const
    if (typeof ending === "number") plan.writes.push({ ...note, ms: ending })
    else if (typeof ending === "object") plan.write("ZADD", this.expiry, String(ending.at), next)
    // A deadline that a change does not move: only its note is rewritten.
    else if (old !== next) plan.writes.push({ ...note, ms: this.longestMs, record: key })
  }

  #requireReplicas(plan: Plan): void {
    const { durability } = this.entity
    if (durability !== "fast") plan.replicas = Math.max(plan.replicas, durability.replicas)
  }

  /** A key that belongs to the entity, and that another program uses for something else. */
  wrongType(key: string, type: "string" | "set" | "zset", found: Reply): KeywrightError {
    const owner = [...this.context.ready.values()].find(({ format }) => format.locate(key) !== undefined)
    const shown = owner === undefined ? key : redactKey(owner, key)
    return recordWrongType(this.name, shown, type, found === null ? "other type" : String(found))
  }

  #expectType(plan: Plan, key: string, type: "string" | "zset"): void {
    plan.checks.push({ check: "type", key, type, onFailure: (found) => this.wrongType(key, type, found) })
  }
}
