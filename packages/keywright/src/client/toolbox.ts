/* What a connected client has besides its entries, under names that begin with $. */

import type { Driver } from "../driver/driver.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import type { Client, TransactionClient } from "./client.ts"
import type { SweeperOptions, Swept } from "./decisions.ts"
import type { GetManyNotes, Readable } from "./kinds/get-many.ts"
import type { CallNotes } from "./call/notes.ts"
import type { Job } from "./jobs/job.ts"
import type { Drainers } from "./shards/drain-handles.ts"
import type { StepCalls } from "./steps/step.ts"
import type { Explanation } from "./plan/explain.ts"
import type { TransactionOptions } from "./transaction/transaction.ts"

/** The results of several calls, in order. */
export type Results<T extends readonly unknown[]> = { -readonly [N in keyof T]: Awaited<T[N]> }

/** What several handles hold, in order. */
export type ValuesOf<T extends readonly unknown[]> = {
  -readonly [N in keyof T]: T[N] extends Readable<infer V> ? V : never
}

/**
 * What calls made together can use: the entries and the steps. Where it is the parameter of a function that is passed,
 * `NoInfer` keeps the compiler from looking for T in all of it: half of the work of checking a keyspace of 500 keys.
 */
export type Together<E, R, Q, S> = Client<E, "", Q, never, E, R> & { readonly $steps: StepCalls<E, Q, S> }

export interface Toolbox<E, R, Q, S, D = {}> {
  /** The atomic steps that the keyspace declares. */
  readonly $steps: StepCalls<E, Q, S>
  /**
   * The drains that the keyspace declares: what was added up in shards, moved into one key.
   *
   *     const drains = job({ name: "drain-views", every: "1s", lease: { on: db }, run: () => db.$drains.views.run() })
   */
  readonly $drains: Drainers<E, D>
  /**
   * Several calls in one round trip; not atomic. Each call fails separately; the batch rejects with the first error.
   *
   *     const [page, views] = await db.$batch((db) => [db.page({ hash }).get(), db.popular().score(item)])
   */
  $batch<const T extends readonly unknown[]>(calls: (db: NoInfer<Together<E, R, Q, S>>) => T): Promise<Results<T>>
  /**
   * Several calls as one step (MULTI … EXEC): no other client sees only a part of them, and if one is refused
   * beforehand, none is sent. Redis takes nothing back when one fails in its turn, because its key is of another type, for
   * example: then it rejects with `PLAN.HALF_WRITTEN` if others have written.
   *
   *     await db.$multi((db) => [db.login().remove(token), db.recent().remove(token), db.cart({ token }).delete()])
   */
  $multi<const T extends readonly unknown[]>(calls: (db: NoInfer<Together<E, R, Q, S>>) => T): Promise<Results<T>>
  /**
   * Reads, decides and writes as one step. Writes are carried out at the commit, all or none, and only if nothing that
   * was read has changed; otherwise the work is run again, until the deadline. So running it twice must be harmless. What it returns or throws is based on a state that existed, even when nothing was written.
   *
   * Writes of plain keys return what they would outside: whatever the result depends on is read. Where you do not
   * need the result, `t.$blind` saves that read. Ids of new records are filled in at the commit, also in what is
   * returned.
   *
   *     const order = await db.$transaction(async (t) => {
   *       const dish = await t.dish.get("1")
   *       if (!dish || dish.stock < 1) throw new Error("sold out")
   *       await t.dish.update(dish, { stock: dish.stock - 1 })
   *       return t.order.create({ dishId: dish.id })
   *     })
   *
   * With an `operationId`, a repetition returns what the first call returned, without running the work.
   */
  $transaction<T>(
    work: (db: NoInfer<TransactionClient<E, Q, R>>) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>
  /** What a call would send, without writing anything: it may read. */
  $explain(
    call: (db: Client<E, "", Q, never, E, R> & Pick<Toolbox<E, R, Q, S>, "$transaction">) => Promise<unknown>,
  ): Promise<Explanation>
  /** Removes the index entries of records that have expired: returns the number of records. */
  $sweep(signal?: AbortSignal): Promise<number>
  /**
   * The same as a job. Where a process writes records that expire, it does this by itself: a separate sweeper is for
   * a process that only cleans up after others, or after `connect(…, { sweep: false })`. It is safe to run several.
   *
   *     const sweeper = db.$sweeper()
   *     sweeper.start()
   */
  $sweeper(options?: SweeperOptions): Job<Swept>
  /**
   * Strings, counters and hashes of any definitions in one round trip (MGET, and HGETALL for each hash): their
   * values in the same order, undefined where there is none. In a cluster, one MGET for each slot.
   *
   *     const [row, page] = await db.$getMany([db.row({ row: "7" }), db.page({ hash })])
   */
  $getMany<const T extends readonly Readable<unknown>[]>(handles: T, notes?: GetManyNotes): Promise<ValuesOf<T>>
  readonly $keyspace: Keyspace<E, R, Q, S, D>
  /** The driver of a logical database: for commands that no handle has. */
  $driver(db?: number): Driver
  /** Where this client is connected, as a text for people. */
  readonly $label: string
  /**
   * PING: resolves when the server answers, on each logical database. `connect` does not wait for the server, so that a
   * program may start before it does. Call this to wait: it fails if there is no answer within the deadline.
   *
   *     await db.$ready({ timeoutMs: 5000 })
   */
  $ready(notes?: CallNotes): Promise<void>
  /** Closes what was opened. A client that was passed in stays open. */
  $close(): Promise<void>
}
