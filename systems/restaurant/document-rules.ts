/* Rules of the document that go beyond the integrity check (RST-35): `keywright audit` checks them too. */

import type { AuditRule } from "keywright/operate"
import type { Cart, CartDetail, CartView, Order, Permission } from "./context.ts"
import { RECORDS } from "./schema.ts"

/** The fields of the Java classes that are loaded when they are needed, by record. */
export const TRANSIENT: Readonly<Record<string, readonly string[]>> = {
  user: ["role"],
  role: ["permissionIds", "permissions"],
  cart: ["items"],
  order: ["user", "orderItems"],
  orderDetail: ["dishName"],
}

/** Jackson refuses a document with a field that its class does not have (RST-C21). */
const undeclared = Object.entries(RECORDS).map(([of, { shape }]): AuditRule<object> => {
  const known = new Set(["@class", ...Object.keys(shape), ...(TRANSIENT[of] ?? [])])
  return {
    code: "RECORD.UNDECLARED",
    of,
    check: (record) =>
      Object.keys(record)
        .filter((field) => !known.has(field))
        .map((field) => ({ place: { field }, expected: "fields of its class", found: "another" })),
  }
})

const path: AuditRule<Permission> = {
  code: "PERMISSION.PATH",
  of: "permission",
  check: ({ apiPath }) =>
    /^\/[^\s\p{Cc}]*$/u.test(apiPath)
      ? undefined
      : { place: { field: "apiPath" }, expected: "a path such as /api/users", found: "something else" },
}

/** A payment through VNPay is known by its reference, one in cash has none (RST-K11, RST-22). */
const reference: AuditRule<Order> = {
  code: "PAYMENT_REF.METHOD",
  of: "order",
  check({ paymentMethod, paymentRef }) {
    const hasRef = typeof paymentRef === "string" && paymentRef !== ""
    if (hasRef === (paymentMethod === "VNPAY")) return undefined
    const expected = hasRef ? "no reference for a payment in cash" : "a reference for a payment through VNPay"
    return { place: { field: "paymentRef" }, expected, found: hasRef ? "one" : "none" }
  },
}

/**
 * Cash is paid when an order is confirmed, and what is paid is confirmed (RST-28, RST-33). An order through VNPay may
 * be confirmed by staff before it is paid.
 */
const payment: AuditRule<Order> = {
  code: "ORDER.PAYMENT",
  of: "order",
  check({ status, paymentMethod, paymentStatus }) {
    const isPaid = paymentStatus === "PAID"
    const isWrong =
      (isPaid && status === "PENDING") ||
      (!isPaid && paymentMethod === "CASH" && status !== "PENDING" && status !== "CANCELLED")
    const expected = isPaid ? "a paid order that is confirmed" : "a confirmed order that is paid in cash"
    return isWrong ? { place: { field: "paymentStatus" }, expected, found: `${status}, ${paymentStatus}` } : undefined
  },
}

const lineOf = ({ id, dishId, quantity, price, total }: Omit<CartDetail, "cartId">): string =>
  JSON.stringify([id, dishId, quantity, price, total])
const viewText = ({ id, items }: CartView): string => JSON.stringify([id, items.map(lineOf).sort()])

/** What is cached of a cart is what it holds (RST-20): read before and after it, so that a change meanwhile does not count. */
const cachedCart: AuditRule<CartView> = {
  code: "CART_CACHE.OTHER",
  of: "cartCache",
  async check(view, { params, list, read }) {
    const [cart] = (await list("cart", "user", { userId: params["userId"] })) as (Cart | undefined)[]
    const items = cart === undefined ? [] : ((await list("cartDetail", "cart", { cartId: cart.id })) as CartDetail[])
    const after = (await read("cartCache")) as CartView | undefined
    if (after === undefined || viewText(after) !== viewText(view)) return undefined
    if (cart?.id !== view.id) return { expected: "the cart of its user", found: "another" }
    return viewText({ id: cart.id, items }) === viewText(view)
      ? undefined
      : { expected: "the lines that the cart has", found: "others" }
  },
}

export const documentRules = [...undeclared, path, reference, payment, cachedCart] as readonly AuditRule[]
