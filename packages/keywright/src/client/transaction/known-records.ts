/* The records that a transaction has looked at or changed, as it sees them: read once, all
 * that is asked for at once in one step, and its own changes included. */

import type { Reply } from "../../driver/driver.ts"
import { SAFE } from "../../driver/safe.ts"
import { readChanged } from "../../errors/transaction.ts"
import type { Holders } from "../entity/holders.ts"
import { withKeyNamed } from "../entity/naming.ts"
import type { Loaded } from "../entity/record-store.ts"
import type { Repository } from "../entity/repository.ts"
import type { Plan } from "../plan/plan.ts"
import type { ReadAhead } from "./read-ahead.ts"
import type { TransactionTurns } from "./transaction-turns.ts"

/** A record that the transaction has looked at or changed. */
export interface Touched {
  readonly repository: Repository
  readonly id: string
  readonly allocated: boolean
  readonly before: Loaded | undefined
  now: Loaded | undefined
  /** When it was deleted, even if it was created again: the sets of other records that hold its id. */
  holders?: Holders
}

/** Sets that are deleted entirely, by key. */
type Dropped = Map<string, { readonly repository: Repository; readonly kind: "set" | "zset" }>

export class KnownRecords {
  readonly #base: ReadAhead
  readonly #turns: TransactionTurns
  readonly #isFirst: boolean
  /** By key. */
  readonly #records = new Map<string, Touched>()
  #loading: Map<string, Promise<unknown>> | undefined
  #dropped: Dropped | undefined

  /** `isFirst`: no earlier attempt of the transaction has lost. */
  constructor(base: ReadAhead, turns: TransactionTurns, isFirst: boolean) {
    this.#base = base
    this.#turns = turns
    this.#isFirst = isFirst
  }

  /** A record as this transaction sees it: its own changes included. At once where it is known. */
  one(repository: Repository, id: string): Loaded | undefined | Promise<Loaded | undefined> {
    this.#base.refuseLate()
    const key = repository.keyOf(id)
    return this.#isKnown(repository, id, key) ? this.#records.get(key)!.now : this.#load(repository, id, key)
  }

  /** Those that are not known yet are read, all at once, and each only once. */
  many(repository: Repository, ids: readonly string[]): (Loaded | undefined)[] | Promise<(Loaded | undefined)[]> {
    this.#base.refuseLate()
    let missing: string[] | undefined
    for (const id of ids) if (!this.#isKnown(repository, id, repository.keyOf(id))) (missing ??= []).push(id)
    return missing ? this.#loadAll(repository, ids, missing) : this.#seen(repository, ids)
  }

  /** Whether a record was read, also ahead. */
  #isKnown(repository: Repository, id: string, key: string): boolean {
    if (this.#records.has(key)) return true
    this.#base.looksAt(repository.head)
    const raw = repository.store.type === "string" ? this.#base.text(key) : undefined
    if (raw !== undefined) this.#enter(repository, id, key, raw)
    return raw !== undefined
  }

  #enter(repository: Repository, id: string, key: string, raw: Reply): Loaded | undefined {
    const known = this.#records.get(key)
    if (known) return known.now
    const before = repository.store.load(id, raw, true, this.#base.parsedAt(key, raw))
    this.#records.set(key, { repository, id, allocated: false, before, now: before })
    return before
  }

  #load(repository: Repository, id: string, key: string): Promise<Loaded | undefined> {
    const known = this.#loading?.get(key)
    if (known) return known.then(() => this.#records.get(key)?.now)
    const loading = this.#read(repository, id, key)
    ;(this.#loading ??= new Map()).set(key, loading)
    return loading
  }

  /** Not an async function: a transaction that reads much at once would wait once more for each. */
  #read(repository: Repository, id: string, key: string): Promise<Loaded | undefined> {
    const turn = this.#turns.arrive(key)
    return turn ? turn.then(() => this.#ask(repository, id, key)) : this.#ask(repository, id, key)
  }

  #ask(repository: Repository, id: string, key: string): Promise<Loaded | undefined> {
    const command = repository.store.readCommand(key)
    const reading = this.#isMerged(repository) ? this.#base.string(command) : this.#base.send(command, SAFE)
    const fail = (error: unknown): never => {
      throw withKeyNamed(repository.record, key, error)
    }
    return reading.then((raw) => {
      try {
        return this.#enter(repository, id, key, raw)
      } catch (error) {
        return fail(error)
      }
    }, fail)
  }

  async #loadAll(repository: Repository, ids: readonly string[], missing: readonly string[]) {
    if (missing.length === 1) await this.#load(repository, missing[0]!, repository.keyOf(missing[0]!))
    else {
      const loading = (this.#loading ??= new Map<string, Promise<unknown>>())
      const fresh = [...new Set(missing)].filter((id) => !loading.has(repository.keyOf(id)))
      const reading = this.#readAll(repository, fresh)
      for (const id of fresh) loading.set(repository.keyOf(id), reading)
      await Promise.all(missing.map((id) => loading.get(repository.keyOf(id))))
    }
    return this.#seen(repository, ids)
  }

  async #readAll(repository: Repository, ids: readonly string[]): Promise<void> {
    const reads = ids.map((id) => repository.store.readCommand(repository.keyOf(id)))
    const raws = await Promise.all(
      reads.map((read) => (this.#isMerged(repository) ? this.#base.string(read) : this.#base.send(read, SAFE))),
    )
    ids.forEach((id, i) => this.#enter(repository, id, repository.keyOf(id), raws[i]!))
  }

  /**
   * Whether it is read by MGET with all others. MGET does not distinguish a key of another type from a missing one: an
   * attempt after a lost one reads each separately.
   */
  #isMerged({ store }: Repository): boolean {
    return store.type === "string" && !this.#base.driver.cluster && this.#isFirst
  }

  #seen(repository: Repository, ids: readonly string[]): (Loaded | undefined)[] {
    return ids.map((id) => this.#records.get(repository.keyOf(id))?.now)
  }

  /** The records of an entity that this transaction knows, with its own changes. */
  touched(repository: Repository): Pick<Touched, "id" | "before" | "now">[] {
    const found: Touched[] = []
    for (const touched of this.#records.values()) if (isOf(touched, repository)) found.push(touched)
    return found
  }

  /** The ids of records that only this transaction has, without those that are still to be allocated. */
  created(repository: Repository): string[] {
    const ids: string[] = []
    for (const touched of this.#records.values())
      if (!touched.before && touched.now && !touched.allocated && isOf(touched, repository)) ids.push(touched.id)
    return ids
  }

  /** Ids that the server returned, corrected by what this transaction has changed, not by what it has only read. */
  seen(repository: Repository, ids: readonly string[], isIn: (loaded: Loaded) => boolean): readonly string[] {
    let seen: Set<string> | undefined
    for (const touched of this.#records.values()) {
      const { id, before, now } = touched
      if (before === now || !isOf(touched, repository)) continue
      seen ??= new Set(ids)
      if (now && isIn(now)) seen.add(id)
      else seen.delete(id)
    }
    return seen ? [...seen] : ids
  }

  add(repository: Repository, id: string, allocated: boolean, now: Loaded): void {
    this.#base.refuseLate()
    const key = repository.keyOf(id)
    const { before, holders } = this.#records.get(key) ?? {}
    this.#records.set(key, { repository, id, allocated, before, now, ...(holders && { holders }) })
  }

  change(repository: Repository, id: string, now: Loaded | undefined, holders?: Holders): void {
    this.#base.refuseLate()
    const touched = this.#records.get(repository.keyOf(id))!
    // If this transaction has deleted it before, its holders are known.
    const isMore = touched.now !== undefined || touched.holders === undefined
    if (isMore && holders && holders.together.length + holders.after.length > 0) touched.holders = holders
    touched.now = now
  }

  /** The sets of an index that are deleted entirely, unless a record of this transaction enters them. */
  dropSets(repository: Repository, keys: readonly string[], kind: "set" | "zset"): void {
    for (const key of keys) (this.#dropped ??= new Map()).set(key, { repository, kind })
  }

  /** Those that it changes. */
  changed(): Touched[] {
    const changed: Touched[] = []
    for (const touched of this.#records.values())
      if (touched.before !== touched.now || touched.holders) changed.push(touched)
    return changed
  }

  /** Plans the sets that are deleted entirely. */
  planDropped(plan: Plan, changed: readonly Touched[]): void {
    if (!this.#dropped) return
    const entered = new Set(
      changed.flatMap(({ repository, now }) => (now ? repository.entriesOf(now.document).map(({ key }) => key) : [])),
    )
    for (const [key, { repository, kind }] of this.#dropped) {
      if (entered.has(key)) continue
      const onFailure = (found: Reply) => repository.wrongType(key, kind, found)
      plan.checks.push({ check: "type", key, type: kind, onFailure })
      plan.unlinkSet(key)
    }
  }

  /** Plans all others: what was only read must be unchanged. */
  plan(plan: Plan, changed: readonly Touched[]): void {
    for (const { repository, id, before, now } of changed)
      if (before && repository.hasUnique) repository.planRelease(plan, id, before, now)
    for (const touched of this.#records.values()) planRecord(plan, touched)
  }

  /** All must still be as they were read. */
  expectAll(plan: Plan): void {
    for (const touched of this.#records.values()) expectRecord(plan, touched)
  }

  /** Whether they are strings, on one server: then reading them again is cheaper than a script. */
  get areStrings(): boolean {
    if (this.#base.driver.cluster) return false
    for (const { repository } of this.#records.values()) if (repository.store.type !== "string") return false
    return true
  }

  /** Compares them with what MGET returned for `keys()`. */
  compare(found: readonly Reply[]): void {
    let at = 0
    for (const { repository, id, before } of this.#records.values())
      if (found[at++] !== (before?.raw ?? null)) throw repository.conflictOf(id, found[at - 1]!)
  }

  keys(): Iterable<string> {
    return this.#records.keys()
  }
}

function planRecord(plan: Plan, touched: Touched): void {
  const { repository, id, allocated, before, now, holders } = touched
  // Another record of the same id is not where the one before it was.
  if (holders) repository.planLeaving(plan, id, holders.together)
  if (before === now) expectRecord(plan, touched)
  else if (before && now) repository.planUpdate(plan, id, before, now)
  else if (before) repository.planDelete(plan, id, before)
  else {
    // The transaction saw that the record was missing: if it exists by now, the work is run again, not refused.
    if (!allocated) expectRecord(plan, touched)
    repository.planCreate(plan, id, true, now!)
  }
}

function expectRecord(plan: Plan, { repository, id, before }: Touched): void {
  if (before) return repository.expectUnchanged(plan, id, before)
  const key = repository.keyOf(id)
  const onFailure = () => readChanged(repository.record.declared.pattern, repository.shown(key))
  repository.store.expect(plan, key, undefined, onFailure)
}

const isOf = (touched: Touched, { head, tail }: Repository): boolean =>
  touched.repository.head === head && touched.repository.tail === tail
