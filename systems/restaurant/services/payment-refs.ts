/* References of payments (RST-C17): the first attempt of an order is VNPAY7, the n-th
 * VNPAY7-n. The order has the latest; all of them lead to it. */

import type { Order } from "../context.ts"

/** The limit for new attempts, because each leaves a key. Orders of other programs may have had more. */
export const MOST_ATTEMPTS = 100

export const paymentRefOf = (orderId: string, attempt: number): string =>
  attempt === 1 ? `VNPAY${orderId}` : `VNPAY${orderId}-${attempt}`

/** Whether it can be looked up at all. */
export const isRef = (text: string): boolean => /^[A-Za-z0-9_-]{1,100}$/.test(text)

type Paid = Pick<Order, "id" | "paymentRef">

/** How many attempts an order has had. A reference of another form, from another program, is one. */
export function attemptsOf({ id, paymentRef }: Paid): number {
  if (paymentRef === null || paymentRef === undefined) return 0
  const first = paymentRefOf(id, 1)
  if (!paymentRef.startsWith(`${first}-`)) return 1
  const attempt = paymentRef.slice(first.length + 1)
  return /^[1-9]\d{0,3}$/.test(attempt) ? Number(attempt) : 1
}

/** All references that lead to an order, the latest first. */
export function refsOf(order: Paid): string[] {
  const attempts = attemptsOf(order)
  if (attempts === 0) return []
  const earlier = Array.from({ length: attempts - 1 }, (_, i) => paymentRefOf(order.id, attempts - 1 - i))
  return [order.paymentRef!, ...earlier]
}

/** Whether a reference is one of an order's: without making a list of them. */
export function isRefOf(order: Paid, ref: string): boolean {
  if (ref === order.paymentRef) return true
  const attempt = attemptsOf({ id: order.id, paymentRef: ref })
  return ref === paymentRefOf(order.id, attempt) && attempt < attemptsOf(order)
}

/** The ids that a reference may hold: VNPAY7-2 is the second of order 7, or the first of order 7-2. */
export function orderIdsIn(ref: string): string[] {
  const id = /^VNPAY([A-Za-z0-9_-]{1,64})$/.exec(ref)?.[1]
  return id === undefined ? [] : [...new Set([id, id.replace(/-\d+$/, "")])].filter((one) => !RESERVED.test(one))
}

const RESERVED = /^(|list|counter|index)$/
