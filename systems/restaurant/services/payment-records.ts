/* Which references of an order were paid. A customer may have the payment pages of two attempts
 * open, and pay both: the order is PAID once, and has the reference of the latest attempt, paid
 * or not. So each payment is recorded, and an order with several payments has to be refunded. */

import type * as z from "zod"
import type { Order, RestaurantContext, Transaction } from "../context.ts"
import type { Payment } from "../schema.ts"
import type { VnPayParams } from "./vnpay.ts"

export type PaymentRecord = z.infer<typeof Payment> & { readonly paymentRef: string }

/** Writes a payment down, once. True when another one of the same order was there before. */
export async function notePayment(
  db: Transaction,
  orderId: string,
  ref: string,
  params: VnPayParams,
): Promise<boolean> {
  const before = await db.payments({ orderId }).fields()
  if (before.includes(ref)) return false
  const [transactionNo, payDate] = [params["vnp_TransactionNo"] ?? "", params["vnp_PayDate"] ?? ""]
  await db.payments({ orderId }).set(ref, { transactionNo, payDate })
  if (before.length === 0) return false
  await db.paidTwice().add(orderId)
  return true
}

/** Goes with the order. */
export async function forgetPayments(db: Transaction, orderId: string): Promise<void> {
  await db.$blind.payments({ orderId }).delete()
  await db.$blind.paidTwice().remove(orderId)
}

export function paymentRecords({ db }: Pick<RestaurantContext, "db">) {
  return {
    /** Those of the orders that were paid more than once. */
    async paidTwiceAmong(orders: readonly Pick<Order, "id">[]): Promise<Set<string>> {
      if (orders.length === 0) return new Set()
      const ids = orders.map(({ id }) => id)
      const found = await db.paidTwice().hasMany(ids)
      return new Set(ids.filter((_, i) => found[i]))
    },

    async of(orderId: string): Promise<PaymentRecord[]> {
      const found = await db.payments({ orderId }).all()
      return [...found].map(([paymentRef, record]) => ({ paymentRef, ...record }))
    },
  }
}
