/* What becomes of payments. VNPay reports twice, through the browser (callback) and from
 * server to server (IPN), in any order, and repeats itself. Each report is one
 * transaction, so that the first that counts is the only one (RST-28 to RST-31). */

import { conflict, notFound, unavailable } from "../../platform/http/problem.ts"
import { errorFields } from "../../platform/log.ts"
import { isCorrupt } from "../../platform/tolerant.ts"
import type { Order, RestaurantContext, Transaction } from "../context.ts"
import type { Caller } from "./access.ts"
import { attemptsOf, isRef, isRefOf, MOST_ATTEMPTS, paymentRefOf } from "./payment-refs.ts"
import { notePayment } from "./payment-records.ts"
import { amountOf, type VnPay, type VnPayParams } from "./vnpay.ts"

/** VNPay's codes: it stops repeating itself on 00 and 02. */
export type RspCode = "00" | "01" | "02" | "04" | "97" | "99"

export interface Processed {
  readonly code: RspCode
  readonly order?: Order
  /** One of several. */
  readonly restaurant?: string
}

interface Settled extends Processed {
  /** Another reference of the order was paid before: this money has to go back. */
  readonly isSecond?: boolean
}

interface Whose {
  /** The restaurant; undefined is the one of the plain routes. */
  readonly name: string | undefined
  /** VNPay reports to one address: what is about one of these goes there. */
  readonly among: ReadonlyMap<string, { process(params: VnPayParams): Promise<Processed> }>
}

export const messages: Readonly<Record<RspCode, string>> = {
  "00": "Confirm Success",
  "01": "Order not found",
  "02": "Order already confirmed",
  "04": "Invalid amount",
  "97": "Invalid signature",
  "99": "Unknown error",
}

export function payments({ db, log }: RestaurantContext, vnpay: VnPay | undefined, { name, among }: Whose) {
  const settle = (ref: string, params: VnPayParams): Promise<Settled> =>
    db.$transaction(async (db): Promise<Settled> => {
      const orderId = await db.paymentRef({ paymentRef: ref }).get()
      const order = orderId === undefined ? undefined : await db.order.get(orderId)
      if (order === undefined || !isRefOf(order, ref)) return { code: "01" }
      if (params["vnp_Amount"] !== amountOf(order.totalPrice)) return { code: "04", order }
      const isSecond = isPayment(params) && (await notePayment(db, order.id, ref, params))
      const change = changeOf(order, params)
      if (change === undefined) return { code: "02", order, isSecond }
      return { code: "00", order: await db.order.update(order.id, change) }
    })

  return {
    /**
     * Signature, then order, then amount, then state. What is forged changes nothing, and is not remembered. An order
     * that cannot be read is 99: VNPay repeats itself, and until then it may be repaired.
     */
    async process(params: VnPayParams): Promise<Processed> {
      if (vnpay === undefined || !vnpay.isGenuine(params)) return { code: "97" }
      const given = params["vnp_TxnRef"] ?? ""
      const other = among.get(restaurantIn(given))
      if (other !== undefined) return other.process(params)
      const ref = name === undefined ? given : restaurantIn(given) === name ? given.slice(name.length + 1) : ""
      if (!isRef(ref)) return { code: "01" }
      try {
        const { isSecond = false, ...settled } = await settle(ref, params)
        if (isSecond) log.warn("an order was paid again: refund it", { order: settled.order!.id, paymentRef: ref })
        return { ...settled, ...(name !== undefined && { restaurant: name }) }
      } catch (error) {
        if (!isCorrupt(error)) throw error
        log.error("a payment could not be recorded", errorFields(error))
        return { code: "99" }
      }
    },

    /** A new attempt, under a new reference; the old ones stay good (RST-31). */
    async retry(orderId: string, caller: Caller, ip: string): Promise<string> {
      if (vnpay === undefined) throw unavailable("vnpay_not_configured", "payments through VNPay are not set up here")
      const found = await db.order.get(orderId)
      if (found === undefined) throw notFound("there is no such order")
      await caller.checkOwns(found)
      const order = await db.$transaction(async (db) => {
        const order = await db.order.get(orderId)
        if (order === undefined) throw notFound("there is no such order")
        if (order.paymentMethod !== "VNPAY") throw conflict("not_vnpay", "this order is not paid through VNPay")
        if (order.paymentStatus === "PAID") throw conflict("already_paid", "this order is paid")
        if (order.status === "CANCELLED") throw conflict("order_cancelled", "this order was cancelled")
        const paymentRef = await nextRef(db, order)
        await db.paymentRef({ paymentRef }).set(orderId)
        return db.order.update(orderId, { paymentRef })
      })
      return vnpay.paymentUrl(order, ip)
    },

    /** The money was handed over (RST-33). */
    confirmCash: (orderId: string): Promise<Order> =>
      db.order.update(orderId, ({ paymentMethod, paymentStatus, status }) => {
        if (paymentMethod !== "CASH") throw conflict("not_cash", "this order is not paid in cash")
        if (paymentStatus === "PAID") throw conflict("already_paid", "this order is paid")
        if (status === "CANCELLED") throw conflict("order_cancelled", "this order was cancelled")
        return { paymentStatus: "PAID", status: status === "PENDING" ? "CONFIRMED" : status }
      }),
  }
}

/** `pho_VNPAY7` → `pho`: names have no _. */
const restaurantIn = (ref: string): string => ref.slice(0, Math.max(0, ref.indexOf("_")))

/** The next that nobody has: order 1-2 of another program has what would be the second of order 1. */
async function nextRef(db: Transaction, order: Order): Promise<string> {
  for (let attempt = attemptsOf(order) + 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const paymentRef = paymentRefOf(order.id, attempt)
    const holder = await db.paymentRef({ paymentRef }).get()
    if (holder === undefined || holder === order.id) return paymentRef
  }
  throw conflict("too_many_attempts", "there were too many attempts to pay this order")
}

/** Whether money was received. */
const isPayment = (params: VnPayParams): boolean =>
  params["vnp_ResponseCode"] === "00" && params["vnp_TransactionStatus"] === "00"

/** What a genuine result changes; nothing where it was known, or comes after the money. */
function changeOf({ paymentStatus, status }: Order, params: VnPayParams): Partial<Order> | undefined {
  if (paymentStatus === "PAID") return undefined
  if (isPayment(params)) return { paymentStatus: "PAID", status: status === "PENDING" ? "CONFIRMED" : status }
  return paymentStatus === "FAILED" ? undefined : { paymentStatus: "FAILED" }
}

export type Payments = ReturnType<typeof payments>
