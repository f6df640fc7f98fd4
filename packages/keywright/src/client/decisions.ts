/* The client's tools that decide before they write: transactions, explanations, and
 * the sweep of expired records. */

import { requireFunction } from "./call/require-function.ts"
import type { Duration } from "../schema/duration.ts"
import { sweepAll } from "./entity/sweep.ts"
import type { RepositoryContext } from "./entity/repository-parts.ts"
import { ExplainingLane, explained, type Explanation } from "./plan/explain.ts"
import { job, type Job } from "./jobs/job.ts"
import type { Lane } from "./call/lane.ts"
import { keyTextOf } from "./call/sent.ts"
import type { Context } from "./make-client.ts"
import type { Attempt } from "./transaction/attempt.ts"
import { BlindLane } from "./transaction/blind-lane.ts"
import { type TransactionContext, transaction, type TransactionOptions } from "./transaction/transaction.ts"

interface Parts extends RepositoryContext {
  readonly laneOf: (db: number) => Lane
  /** The deadline of a call that does not name one. */
  readonly timeoutMs: number
  /** Makes a client on other lanes. */
  readonly clientOn: (how: Pick<Context, "laneOf" | "mode"> & Partial<Context>) => object
}

/**
 * What `$sweeper` takes.
 * @example
 * const sweeper = db.$sweeper({ every: "5s", onError: console.error })
 */
export interface SweeperOptions {
  /** From the end of a pass to the next one. Default: one second. */
  readonly every?: Duration
  /** Called with each pass that failed. */
  readonly onError?: (error: unknown) => void
}

/**
 * What each pass of a sweeper returns.
 * @example
 * const { swept }: Swept = await db.$sweeper().runOnce()
 */
export interface Swept {
  readonly swept: number
}

export const decisions = ({ laneOf, clientOn, timeoutMs, ...context }: Parts) => {
  const databases = [...new Set(context.keyspace.keys.map(({ db }) => db))]
  const show = keyTextOf(context.keyspace, context.ready)
  const over = (lanes: (db: number) => Lane) => {
    const transactionContext: TransactionContext = {
      laneOf: lanes,
      show,
      databases: databases.length > 0 ? databases : [0],
      timeoutMs,
      clientOn: (laneOf, attempt) => {
        const blind = () => clientOn({ laneOf: (db) => new BlindLane(laneOf(db) as Attempt), mode: "blind" })
        return clientOn({ laneOf, mode: "transaction", attempt, blind })
      },
    }
    return <T>(work: (db: never) => Promise<T>, options?: TransactionOptions): Promise<T> =>
      transaction(transactionContext, work, options)
  }
  return {
    $transaction: over(laneOf),

    $explain: (call: (db: never) => Promise<unknown>): Promise<Explanation> => {
      let one: ExplainingLane | undefined
      const explaining = (db: number) => (one ??= new ExplainingLane(laneOf(db)))
      const client = Object.assign(clientOn({ laneOf: explaining, mode: "direct" }), { $transaction: over(explaining) })
      return explained(
        () => one,
        () => (requireFunction("what $explain calls", call), call(client as never)),
      )
    },

    $sweep: (signal?: AbortSignal): Promise<number> => sweepAll(context, laneOf, signal),

    $sweeper: ({ every = "1s", onError }: SweeperOptions = {}): Job<Swept> =>
      job({
        name: "keywright-sweeper",
        every,
        run: async ({ signal }) => ({ swept: await sweepAll(context, laneOf, signal) }),
        ...(onError && { onError }),
      }),
  }
}
