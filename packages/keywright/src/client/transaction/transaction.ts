/* Transactions: read several keys, decide, write several keys. Reads go to the server at
 * once and are remembered; writes are collected. The commit is one compare-and-apply: it
 * checks that everything read is unchanged, and then writes everything. Otherwise the work
 * is run again, until it succeeds or its time is up.
 *
 * What a transaction returns or throws is based on a state that existed: reads that came
 * in several steps are compared once more before either reaches the caller, also when
 * nothing is written.
 *
 * No WATCH: on a shared connection it would affect every caller. */

import { requireFunction } from "../call/require-function.ts"
import type { Command } from "../../driver/driver.ts"
import { sha1 } from "../../driver/reply-digest.ts"
import { argumentRefused } from "../../errors/client.ts"
import { Conflict, OutcomeUnknown } from "../../errors/outcome.ts"
import { RecordChanged } from "../../errors/record.ts"
import {
  operationReused,
  transactionContended,
  transactionDatabases,
  transactionNotCommitted,
} from "../../errors/transaction.ts"
import { now } from "../call/alarms.ts"
import { Deadline, isLate } from "../call/deadline.ts"
import { confirmDone } from "../entity/durability.ts"
import type { CallNotes, OperationNotes } from "../call/notes.ts"
import type { Lane } from "../call/lane.ts"
import { keepAnswer, keptAnswer, NOT_KEPT } from "../plan/operation-answer.ts"
import { operationOf, type Remembered } from "../plan/operation-memory.ts"
import { withIds } from "../plan/placeholder.ts"
import type { Applied } from "../plan/send-plan.ts"
import { turnsOf } from "../call/turns.ts"
import { Attempt, type CommitNotes } from "./attempt.ts"
import { lastSeenOf } from "./last-seen.ts"
import { TransactionTurns } from "./transaction-turns.ts"

const WHAT = "the transaction"
/** The name under which transactions are remembered. */
const PURPOSE = "transaction"
const LONGEST_PAUSE_MS = 50

/**
 * What `$transaction` takes besides the work.
 * @example
 * const options: TransactionOptions = { by: "admin", timeoutMs: 5000, operationId: "checkout-17" }
 * await db.$transaction(async (t) => t.user.update("1", { name: "Ada" }), options)
 */
export interface TransactionOptions extends CallNotes, OperationNotes {
  /** Who makes the change: for createdBy and updatedBy. */
  readonly by?: string
  /**
   * The first attempt takes what this client last saw at a key, where it knows that, and does not ask the server: often
   * the commit is the only round trip. It compares everything, as always: if something has changed meanwhile, the work
   * is run again on what the server has. For work that one process repeats on the same records. Default: false.
   */
  readonly lastSeen?: boolean
}

export interface TransactionContext {
  readonly laneOf: (db: number) => Lane
  /** A key as errors may show it. */
  readonly show: (db: number, key: string) => string
  /** The logical databases of the keyspace. */
  readonly databases: readonly number[]
  /** The deadline of a transaction that does not name one. */
  readonly timeoutMs: number
  /** Makes a client whose calls go to the attempt. */
  readonly clientOn: (laneOf: (db: number) => Lane, attempt: () => Attempt) => unknown
}

type Work = (db: never) => unknown

/** Runs `work` until it commits. */
export const transaction = <T>(
  context: TransactionContext,
  work: (db: never) => Promise<T> | T,
  options?: TransactionOptions,
): Promise<T> => {
  try {
    requireFunction("the work of a transaction", work)
    const lastSeen: unknown = options?.lastSeen ?? false
    if (typeof lastSeen !== "boolean") throw argumentRefused("lastSeen", "true or false", lastSeen)
    return new TransactionRun(context, work, options ?? {}).untilItCommits() as Promise<T>
  } catch (error) {
    return Promise.reject(error)
  }
}

class TransactionRun {
  readonly #context: TransactionContext
  readonly #work: Work
  readonly #options: TransactionOptions
  readonly #deadline: Deadline
  readonly #identity: string
  #attempt: Attempt | undefined
  /** What the attempt before has read. */
  #log: readonly Command[] = []
  #lane: Lane | undefined
  #turns: TransactionTurns | undefined
  #tries = 0

  constructor(context: TransactionContext, work: Work, options: TransactionOptions) {
    this.#context = context
    this.#work = work
    this.#options = options
    this.#deadline = new Deadline(context, options)
    this.#identity = options.operationId === undefined ? "" : digestOf(work)
  }

  async untilItCommits(): Promise<unknown> {
    try {
      const { operationId } = this.#options
      const done = operationId === undefined ? undefined : await this.#doneBefore(operationId)
      if (done) return keptAnswer(done.answer, WHAT)
      for (;;) {
        const begun = now()
        try {
          this.#tries++
          return await this.#try()
        } catch (error) {
          if (!(error instanceof Beaten)) throw this.#tries > 1 && isLate(error) ? this.#contended(error) : error
          this.#attempt!.lost()
          await this.#beforeNextTry(now() - begun, error.by)
        } finally {
          this.#attempt?.abandon()
          this.#attempt?.plan.forgetIds()
        }
      }
    } finally {
      this.#turns?.end()
    }
  }

  /** Runs the work once, and commits what it decided. */
  async #try(): Promise<unknown> {
    this.#attempt = undefined
    this.#deadline.check(WHAT)
    let result: unknown
    try {
      if (this.#lane && this.#log.length > 0) {
        this.#attempt = this.#attemptOn(this.#lane)
        await this.#attempt.base.again(this.#log)
      }
      result = await this.#deadline.before(Promise.resolve(this.#begin()), WHAT)
    } catch (error) {
      return this.#afterFailure(error)
    }
    const ending = this.#end()
    if (ending) await ending
    const attempt = this.#attempt as Attempt | undefined
    if (!attempt) return result
    const kept = this.#options.operationId === undefined ? NOT_KEPT : keepAnswer(result)
    const committing = attempt.commit(this.#notes(kept))
    if (committing === undefined) return result
    const { ids, replayed } = await this.#comparing(committing)
    return replayed === undefined ? withIds(result, ids) : keptAnswer(replayed.answer, WHAT)
  }

  #begin(): unknown {
    let database: number | undefined
    const laneOf = (db: number): Attempt => {
      if (database !== undefined && database !== db) throw transactionDatabases(database, db)
      if (database === undefined && this.#lane !== this.#context.laneOf(db)) this.#attempt = undefined
      database = db
      return (this.#attempt ??= this.#attemptOn(this.#context.laneOf(db)))
    }
    const { clientOn, databases } = this.#context
    return this.#work(clientOn(laneOf, () => laneOf(database ?? databases[0]!)) as never)
  }

  #attemptOn(lane: Lane): Attempt {
    this.#lane = lane
    this.#turns ??= new TransactionTurns(turnsOf(lane), this.#deadline)
    const { by, lastSeen } = this.#options
    return new Attempt(lane, this.#deadline, this.#turns, {
      by,
      isFirst: this.#tries <= 1,
      show: (key) => this.#context.show(lane.driver.db, key),
      lastSeen: lastSeen === true ? lastSeenOf(lane) : undefined,
    })
  }

  /** Writes whose answers are on their way are part of it. Without time left to compare, there is no result. */
  #end(): Promise<void> | undefined {
    this.#deadline.check(WHAT)
    const ending = this.#attempt?.end()
    return ending && this.#deadline.before(ending, WHAT)
  }

  /** What the work threw reaches the caller if it is based on a state that existed. */
  async #afterFailure(error: unknown): Promise<unknown> {
    await this.#end()
    const attempt = this.#attempt
    if (!attempt) throw error
    const unread = attempt.unread(error)
    // A read failed, so there is no decision. Nothing was written: that is certain.
    if (unread) throw unread instanceof OutcomeUnknown ? transactionNotCommitted(unread) : error
    if (this.#options.operationId === undefined && attempt.isOneMoment) throw error
    const { replayed } = await this.#comparing(attempt.validate(this.#notes(NOT_KEPT)))
    if (replayed === undefined) throw error
    return keptAnswer(replayed.answer, WHAT)
  }

  /** What is remembered of it. In a cluster only the commit knows where to look. */
  async #doneBefore(operationId: string): Promise<{ readonly answer: string } | undefined> {
    const { laneOf, databases } = this.#context
    for (const lane of databases.map(laneOf)) {
      if (lane.driver.cluster) continue
      const done = await this.#look(lane, operationId)
      if (!done) continue
      if (done.identity !== this.#identity) throw operationReused()
      const plan = { purpose: PURPOSE, identity: this.#identity, firstKey: "" }
      const { rememberFor } = this.#options
      const notes = { ...this.#deadline.notes(), operationId, rememberFor }
      if (await confirmDone("transaction", lane, plan, done, notes)) return done
    }
    return undefined
  }

  async #look(lane: Lane, operationId: string): Promise<Remembered | undefined> {
    try {
      return await operationOf(lane, operationId, PURPOSE, "", this.#deadline.notes())
    } catch (error) {
      throw error instanceof OutcomeUnknown ? transactionNotCommitted(error) : error
    }
  }

  async #comparing(commit: Promise<Applied>): Promise<Applied> {
    try {
      return await commit
    } catch (error) {
      const isRace =
        error instanceof RecordChanged || (error instanceof Conflict && error.code === "TRANSACTION.READ_CHANGED")
      // The work failed on what was last seen: an attempt with fresh reads will show whether that is really so.
      const isVoid = this.#attempt!.isSupposed && !this.#attempt!.isSent && !isLate(error)
      throw isRace || isVoid ? new Beaten(error) : error
    }
  }

  #notes(answer: string): CommitNotes {
    const { operationId, rememberFor } = this.#options
    return { operationId, rememberFor, identity: this.#identity, answer }
  }

  /** Queues for what it writes; then, where others still win, waits in proportion to what an attempt takes. */
  async #beforeNextTry(attemptMs: number, by: unknown): Promise<void> {
    if (this.#deadline.isOver) throw this.#contended(by)
    this.#log = this.#attempt!.base.log
    // It lost because it had assumed what its keys hold, not because others compete for them.
    if (this.#attempt!.isSupposed) return
    try {
      await this.#turns!.queue(this.#attempt!.writtenKeys)
      const most = Math.min(attemptMs * (this.#tries - 1), LONGEST_PAUSE_MS)
      if (most > 0) await this.#deadline.pause(Math.random() * most, WHAT)
    } catch (error) {
      throw isLate(error) ? this.#contended(by) : error
    }
    // A commit that is cut short has an unknown outcome: so one that is unlikely to be answered in time is not sent.
    if (this.#deadline.leftMs < attemptMs * 2) throw this.#contended(by)
  }

  #contended(last: unknown): Conflict {
    return transactionContended(this.#tries, this.#deadline.ms, last)
  }
}

/** What was read had changed when it was compared. */
class Beaten extends Error {
  readonly by: unknown
  constructor(by: unknown) {
    super("beaten")
    this.by = by
  }
}

/** Identifies the work: a repetition has the same code. */
const digestOf = (work: Work): string => sha1(String(work)).slice(0, 16)
