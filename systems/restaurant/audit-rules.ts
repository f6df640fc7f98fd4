/* What the schema has no words for: sums, payment references, and what is never stored, for the integrity check (RST-35);
 * with what else the document says, for `keywright audit`, by keywright.config.ts. */

import type { AuditRule } from "keywright/operate"
import type { CartDetail, Dish, Order, OrderDetail, User } from "./context.ts"
import { documentRules, TRANSIENT } from "./document-rules.ts"
import { isOff } from "./services/money.ts"
import { isRef, isRefOf, refsOf } from "./services/payment-refs.ts"

const negative = (field: "stock" | "soldToday", code: AuditRule["code"]): AuditRule<Dish> => ({
  code,
  of: "dish",
  check: ({ [field]: count }) =>
    typeof count === "number" && count < 0
      ? { place: { field }, expected: "0 or more", found: String(count) }
      : undefined,
})

const lineTotal: AuditRule<CartDetail> = {
  code: "CART_DETAIL.TOTAL",
  of: "cartDetail",
  check: ({ price, quantity, total }) =>
    isOff(total, price * quantity)
      ? { place: { field: "total" }, expected: `price × quantity = ${price * quantity}`, found: String(total) }
      : undefined,
}

const orderTotal: AuditRule<Order> = {
  code: "ORDER.TOTAL",
  of: "order",
  async check({ id, totalPrice }, { list }) {
    const lines = (await list("orderDetail", "order", { orderId: id })) as OrderDetail[]
    if (lines.length === 0) return { expected: "an order with details", found: "none" }
    const sum = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
    return isOff(sum, totalPrice)
      ? { place: { field: "totalPrice" }, expected: `the sum of its details, ${sum}`, found: String(totalPrice) }
      : undefined
  },
}

/** References of an order, earlier ones too (RST-C17), that lead nowhere; one that leads astray is stale itself. */
export async function lostRefs(order: Order, holderOf: (ref: string) => Promise<unknown>): Promise<string[]> {
  const refs = refsOf(order)
  const holders = await Promise.all(refs.map((ref) => (isRef(ref) ? holderOf(ref) : undefined)))
  return refs.filter((_, i) => holders[i] === undefined)
}

export const missingRef: AuditRule<Order> = {
  code: "PAYMENT_REF.MISSING",
  of: "order",
  async check(order, { read }) {
    const [lost] = await lostRefs(order, (paymentRef) => read("paymentRef", { paymentRef }))
    return lost === undefined ? undefined : { expected: `${lost} leads here`, found: "nothing" }
  },
}

export const staleRef: AuditRule<string> = {
  code: "PAYMENT_REF.STALE",
  of: "paymentRef",
  async check(orderId, { params, get }) {
    const order = (await get("order", orderId)) as Order | undefined
    return order === undefined || isRefOf(order, params["paymentRef"]!)
      ? undefined
      : { expected: "an order that has this reference", found: `order ${orderId}` }
  },
}

/** Hashes by this program, Spring's encoders, or crypt: all say how they were made. */
const HASH = /^(?:\{[\w-]{1,32}\})?\$[\w-]{1,32}\$./

const password: AuditRule<User> = {
  code: "USER.PASSWORD",
  of: "user",
  check: ({ password }) =>
    HASH.test(password) ? undefined : { place: { field: "password" }, expected: "a hash", found: "something else" },
}

const transient = Object.entries(TRANSIENT).map(([of, fields]): AuditRule<Readonly<Record<string, unknown>>> => ({
  code: "RECORD.TRANSIENT",
  of,
  check: (record) =>
    fields
      .filter((field) => record[field] !== undefined && record[field] !== null)
      .map((field) => ({ place: { field }, expected: "a field that is not stored", found: "a stored one" })),
}))

export const integrityRules = [
  negative("stock", "DISH.STOCK"),
  negative("soldToday", "DISH.SOLD_TODAY"),
  lineTotal,
  orderTotal,
  missingRef,
  staleRef,
  password,
  ...transient,
] as readonly AuditRule[]

export const auditRules = [...integrityRules, ...documentRules]
