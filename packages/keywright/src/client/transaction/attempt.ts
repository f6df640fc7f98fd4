/* One attempt of a transaction: everything that was read and is to be written. As a
 * lane, it sends what reads and collects what writes. */

import { spread } from "../call/spread.ts"
import type { CallOptions, Command, Driver, Reply } from "../../driver/driver.ts"
import { transactionScript } from "../../errors/transaction.ts"
import type { Deadline } from "../call/deadline.ts"
import type { Lane } from "../call/lane.ts"
import { commitPlan } from "../entity/durability.ts"
import { holdersAmong, leaveAfterwards, leaving } from "../entity/holders.ts"
import { handOut } from "../entity/handed-out.ts"
import type { Repository } from "../entity/repository.ts"
import type { CallNotes, OperationNotes } from "../call/notes.ts"
import { Plan } from "../plan/plan.ts"
import type { Applied } from "../plan/send-plan.ts"
import { KnownRecords, type Touched } from "./known-records.ts"
import type { LastSeen } from "./last-seen.ts"
import { PlainKeys } from "./plain-keys.ts"
import { ReadAhead } from "./read-ahead.ts"
import type { TransactionTurns } from "./transaction-turns.ts"

/** What a commit needs: the answer that a repetition gets, and what distinguishes this transaction from others. */
export interface CommitNotes extends OperationNotes {
  readonly identity: string
  readonly answer: string
}

export interface AttemptOptions {
  /** Who makes the change. */
  readonly by: string | undefined
  /** No earlier attempt of the transaction has lost. */
  readonly isFirst: boolean
  /** A key as errors may show it. */
  readonly show: (key: string) => string
  /** Where its transaction reads from it: see last-seen.ts. */
  readonly lastSeen: LastSeen | undefined
}

const DONE: Applied = Object.freeze({ ids: new Map<string, string>() })

export class Attempt implements Lane {
  readonly driver: Driver
  readonly plan = new Plan()
  readonly by: string | undefined
  /** Where reads go: straight to the server, unless they were made ahead. */
  readonly base: ReadAhead
  readonly records: KnownRecords
  readonly keys: PlainKeys
  /** Its plan was made, and is on its way to the server: from then on it may have been carried out. */
  isSent = false
  readonly #lane: Lane
  readonly #deadline: Deadline
  readonly #lastSeen: LastSeen | undefined
  readonly #repositories = new Map<string, Repository>()

  constructor(
    lane: Lane,
    deadline: Deadline,
    turns: TransactionTurns,
    { by, isFirst, lastSeen, show }: AttemptOptions,
  ) {
    this.#lane = lane
    this.#deadline = deadline
    this.#lastSeen = lastSeen
    this.driver = lane.driver
    this.by = by
    this.base = new ReadAhead(lane, deadline, turns, isFirst && lastSeen?.begin() === true ? lastSeen : undefined)
    this.records = new KnownRecords(this.base, turns, isFirst)
    this.keys = new PlainKeys(this.plan, this.base, turns, show)
  }

  send(command: Command, options?: CallOptions): Promise<Reply> {
    return this.keys.send(command, options)
  }

  atomic(commands: readonly Command[], options?: CallOptions): Promise<Reply[]> {
    return this.keys.atomic(commands, options)
  }

  async script(script: { readonly name: string }): Promise<Reply> {
    throw transactionScript(script.name)
  }

  collect(commands: readonly Command[]): Promise<void> {
    return this.keys.collect(commands)
  }

  /** An id that is deleted leaves the sets of other records that this transaction has written. */
  async leave(repository: Repository, id: string): Promise<void> {
    if (repository.through.holding.length === 0) return
    for (const holder of holdersAmong(repository, this.keys.own)) await this.keys.leave(leaving(holder, id))
  }

  /** The options for a separate round trip. */
  notes(): CallNotes | undefined {
    return this.#deadline.notes()
  }

  /** The repository of an entity outside any scope: one for all its users. */
  repository(name: string, make: () => Repository): Repository {
    let one = this.#repositories.get(name)
    if (!one) this.#repositories.set(name, (one = make()))
    return one
  }

  /** The records and keys that it writes. */
  get writtenKeys(): string[] {
    const changed = this.records
      .changed()
      .flatMap(({ repository, id, allocated }) => (allocated ? [] : [repository.keyOf(id)]))
    return [...new Set([...changed, ...this.keys.written])]
  }

  /**
   * Waits for writes whose answers are pending, which are part of it; nothing is added after that. Returns at once
   * when there are none.
   */
  end(): Promise<void> | undefined {
    const settling = this.keys.settled()
    if (settling) return settling.then(() => this.abandon())
    this.abandon()
    return undefined
  }

  /** From now on it takes no more calls. */
  abandon(): void {
    this.base.isOver = true
  }

  /** The failed read that caused an error, if one did. */
  unread(error: unknown): unknown {
    const { failures } = this.base
    if (failures === undefined) return undefined
    for (let each = error; each !== undefined && each !== null; each = (each as { cause?: unknown }).cause)
      if (failures.has(each)) return each
    return undefined
  }

  /** Whether some of what it read is only what was last seen there. */
  get isSupposed(): boolean {
    return this.base.supposed.length > 0
  }

  /** It has lost: what was last seen is not true any more. */
  lost(): void {
    if (this.isSupposed) this.#lastSeen!.lost(this.base.supposed)
  }

  /** Whether everything it read existed at one moment: then there is nothing to compare. */
  get isOneMoment(): boolean {
    return this.base.steps <= 1 && !this.isSupposed
  }

  /** Checks that everything read is unchanged, and writes everything. Undefined: there is nothing to do. */
  commit(notes: CommitNotes): Promise<Applied> | undefined {
    const changed = this.records.changed()
    this.records.planDropped(this.plan, changed)
    if (notes.operationId === undefined && changed.length === 0 && this.plan.writes.length === 0) {
      if (this.isOneMoment) return undefined
      if (this.plan.checks.length === 0 && this.records.areStrings) return this.#readAgain()
    }
    return this.#commit(changed, notes)
  }

  async #commit(changed: readonly Touched[], notes: CommitNotes): Promise<Applied> {
    this.records.plan(this.plan, changed)
    const applied = await this.#apply(this.plan, notes)
    const isReplayed = applied.replayed !== undefined
    if (!isReplayed) this.#lastSeen?.learn(this.plan, applied.ids, this.isSupposed)
    for (const { repository, id, now, holders } of changed) {
      // Where ids were allocated, what is handed out is a copy with these ids.
      if (now && !isReplayed && applied.ids.size === 0) handOut(now)
      if (holders && (!isReplayed || (await this.#isGone(repository, id))))
        await leaveAfterwards(repository, id, holders.after, this.#deadline.notes())
    }
    return applied
  }

  /**
   * Whether a commit that was carried out before has deleted this record: it may have been this one, if the answer was
   * lost, or another one that decided otherwise.
   */
  async #isGone(repository: Repository, id: string): Promise<boolean> {
    return (await this.#lane.send(["EXISTS", repository.keyOf(id)], { ...this.#deadline.notes(), safe: true })) === 0
  }

  /** All records at one moment: they must be as they were. */
  async #readAgain(): Promise<Applied> {
    this.#deadline.check("the transaction")
    const command = ["MGET", ...this.records.keys()]
    this.records.compare((await this.#lane.send(command, { ...this.#deadline.notes(), safe: true })) as Reply[])
    return DONE
  }

  /** Checks that everything read is unchanged, and writes nothing: for a transaction that failed. */
  async validate(notes: CommitNotes): Promise<Applied> {
    const reads = this.plan.readsOnly()
    this.records.expectAll(reads)
    return this.#apply(reads, notes)
  }

  #apply(plan: Plan, { identity, answer: kept, ...operation }: CommitNotes): Promise<Applied> {
    plan.purpose = "transaction"
    plan.identity = identity
    plan.answer = kept
    this.#deadline.check("the transaction")
    this.isSent = true
    return commitPlan("transaction", this.#lane, plan, spread(operation, this.#deadline.notes()))
  }
}
