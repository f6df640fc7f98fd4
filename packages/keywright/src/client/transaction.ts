/* Transactions: read several keys, decide, write several keys. Reads go to the
 * server at once and are remembered; writes are collected. The commit is one
 * compare-and-apply: it makes sure that everything read is still so, and then writes
 * everything. Otherwise the whole is decided anew, a bounded number of times.
 *
 * No WATCH: on a shared connection it would be everybody's. */

import { setTimeout as sleep } from "node:timers/promises"
import type { CallOptions } from "../driver/driver.ts"
import { Conflict } from "../errors/outcome.ts"
import { RecordChanged } from "../errors/record.ts"
import { transactionContended, transactionDatabases } from "../errors/transaction.ts"
import { Attempt } from "./attempt.ts"
import type { Lane } from "./lane.ts"
import { withIds } from "./placeholder.ts"

const TRIES = 50

export interface TransactionOptions extends Omit<CallOptions, "bytes" | "safe"> {
  /** Repeated with the same id, it is carried out once. One that writes other records or keys needs an id of its own. */
  readonly operationId?: string
  /** Who does it: for createdBy and updatedBy. */
  readonly by?: string
}

/** Runs `work` until it commits. `clientOn` makes a client whose calls go to the attempt. */
export async function transaction<T>(
  laneOf: (db: number) => Lane,
  clientOn: (laneOf: (db: number) => Lane, attempt: () => Attempt) => unknown,
  work: (db: never) => Promise<T> | T,
  options: TransactionOptions = {},
): Promise<T> {
  for (let tries = 1; ; tries++) {
    let attempt: Attempt | undefined
    let database: number | undefined
    const lane = (db: number): Attempt => {
      if (database !== undefined && database !== db) throw transactionDatabases(database, db)
      database = db
      return (attempt ??= new Attempt(laneOf(db), options.by))
    }
    const result = await work(clientOn(lane, () => lane(database ?? 0)) as never)
    if (!attempt) return result
    try {
      return withIds(result, await attempt.commit(options))
    } catch (error) {
      if (!isRace(error)) throw error
      if (tries >= TRIES) throw transactionContended(tries, error)
      await sleep(Math.random() * Math.min(2 * tries, 50))
    }
  }
}

const isRace = (error: unknown): boolean =>
  error instanceof RecordChanged || (error instanceof Conflict && error.code === "TRANSACTION.READ_CHANGED")
