/* Transactions that many want at once, such as checkouts of one dish. The first try of
 * each goes ahead; whoever has to decide anew queues up behind the others of this process
 * that have to, so that they do not defeat each other again and again. */

import type { RestaurantContext, Transaction } from "../context.ts"

export type InTurn = <T>(work: (db: Transaction) => Promise<T>, by?: string) => Promise<T>

export function turns({ db, metrics }: RestaurantContext): InTurn {
  const retries = metrics.counter("restaurant_retries_total", "Carts and orders that were decided anew.")
  let last: Promise<unknown> = Promise.resolve()
  return async (work, by) => {
    let tries = 0
    let leave = () => {}
    const join = () => {
      const before = last
      last = new Promise<void>((resolve) => (leave = resolve))
      return before
    }
    try {
      return await db.$transaction(
        async (db) => {
          if (tries > 0) retries.add({})
          if (tries++ === 1) await join()
          return work(db)
        },
        by === undefined ? {} : { by },
      )
    } finally {
      leave()
    }
  }
}
