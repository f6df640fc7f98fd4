/* Transactions that many want at once, such as checkouts of one dish: how often they had
 * to be decided again is counted. */

import type { Counter } from "../shared.ts"
import type { RestaurantContext, Transaction } from "../context.ts"

export type CountedTransaction = <T>(work: (db: Transaction) => Promise<T>, by?: string) => Promise<T>

/** A buyer's requests usually reach the same process: it knows the cart and the dishes from the request before. */
const LAST_SEEN = { lastSeen: true } as const

export function countedTransaction({ db }: RestaurantContext, retries: Counter): CountedTransaction {
  return (work, by) => {
    let tries = 0
    return db.$transaction(
      (t) => {
        if (tries++ > 0) retries.add({})
        return work(t)
      },
      by === undefined ? LAST_SEEN : { ...LAST_SEEN, by },
    )
  }
}
