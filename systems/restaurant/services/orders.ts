/* Orders after they were placed: who sees them, and how they proceed (RST-32, RST-33). */

import { conflict, notFound } from "../../platform/http/problem.ts"
import type { Order, OrderDetail, RestaurantContext, Transaction } from "../context.ts"
import type { Caller } from "./access.ts"
import { localDay } from "../../platform/days.ts"
import { pageOf, pageOfIds, readAll, type Page, type ListPage } from "./pages.ts"
import { forgetPayments, paymentRecords } from "./payment-records.ts"
import { refsOf } from "./payment-refs.ts"

type Status = Order["status"]
/** Paid and cancelled, or paid more than once: the money has to go back. Derived, not stored (RST-28). */
export type ShownOrder = Order & { readonly toRefund: boolean }

export interface OrderFilter extends ListPage {
  readonly status?: Status | undefined
  readonly paymentStatus?: Order["paymentStatus"] | undefined
  readonly toRefund?: boolean | undefined
}

const next: Readonly<Record<Status, readonly Status[]>> = {
  PENDING: ["CONFIRMED", "CANCELLED"],
  CONFIRMED: ["DELIVERING", "CANCELLED"],
  DELIVERING: ["DELIVERED"],
  DELIVERED: [],
  CANCELLED: [],
}

export const shown = (order: Order, isPaidTwice = false): ShownOrder => ({
  ...order,
  toRefund: isPaidTwice || (order.status === "CANCELLED" && order.paymentStatus === "PAID"),
})

export function orders(context: RestaurantContext) {
  const { db, settings, clock, lenient } = context
  const records = paymentRecords(context)
  const dayOf = localDay(settings.timeZone)
  const allShown = async (found: readonly Order[]): Promise<ShownOrder[]> => {
    const paidTwice = await records.paidTwiceAmong(found)
    return found.map((order) => shown(order, paidTwice.has(order.id)))
  }

  const shownPage = async ({ meta, result }: Page<Order>): Promise<Page<ShownOrder>> => ({
    meta,
    result: await allShown(result),
  })

  /** Stock goes back, and what was sold today counts no more. Dishes that are gone stay gone. */
  const giveBack = async (db: Transaction, { createdAt }: Order, items: readonly OrderDetail[]): Promise<void> => {
    const isToday = typeof createdAt === "string" && dayOf(createdAt) === dayOf(clock.now())
    const back = new Map<string, number>()
    for (const { dishId, quantity } of items) back.set(dishId, (back.get(dishId) ?? 0) + quantity)
    const dishes = await db.dish.getMany([...back.keys()])
    for (const dish of dishes) {
      if (dish === undefined) continue
      const quantity = back.get(dish.id)!
      await db.dish.update(dish.id, {
        stock: typeof dish.stock === "number" ? dish.stock + quantity : null,
        soldToday: Math.max(0, (dish.soldToday ?? 0) - (isToday ? quantity : 0)),
      })
    }
  }

  const withItems = (db: Transaction, id: string) => db.order.get(id, { with: { items: true } })

  return {
    /** The newest first. */
    async list({ status, paymentStatus, toRefund, ...options }: OrderFilter): Promise<Page<ShownOrder>> {
      const ids = await db.order.ids({ reverse: true })
      if (status === undefined && paymentStatus === undefined && toRefund === undefined)
        return shownPage(await pageOfIds(db.order, ids, options, lenient))
      const read = await readAll(db.order, ids, lenient)
      const all = await allShown(read.filter((order) => order !== undefined))
      const found = all.filter(
        (order) =>
          (status === undefined || order.status === status) &&
          (paymentStatus === undefined || order.paymentStatus === paymentStatus) &&
          (toRefund === undefined || order.toRefund === toRefund),
      )
      return pageOf(found, options)
    },

    async mine(userId: string, options: ListPage): Promise<Page<ShownOrder>> {
      const ids = await db.order.listIds("user", { userId }, { reverse: true })
      const { meta, result } = await pageOfIds(db.order, ids, options, lenient)
      return shownPage({ meta, result: result.filter((order) => order.userId === userId) })
    },

    /** With its lines, and the names that the dishes have now; one that is to be refunded, with its payments. */
    async get(id: string, caller: Caller) {
      const [order, lineIds] = await Promise.all([db.order.get(id), db.orderDetail.listIds("order", { orderId: id })])
      if (order === undefined) throw notFound("there is no such order")
      await caller.checkOwns(order)
      const lines = (await readAll(db.orderDetail, lineIds, lenient)).flatMap((line) =>
        line?.orderId === id ? [line] : [],
      )
      const dishes = await readAll(db.dish, [...new Set(lines.map((line) => line.dishId))], lenient)
      const names = new Map(dishes.flatMap((dish) => (dish ? [[dish.id, dish.name]] : [])))
      const [view] = await allShown([order])
      return {
        ...view!,
        ...(view!.toRefund && { payments: await records.of(id) }),
        orderItems: lines.map((line) => ({ ...line, dishName: names.get(line.dishId) ?? null })),
      }
    },

    /** Cancelling gives the stock back, once: CANCELLED is a final state. */
    async setStatus(id: string, status: Status): Promise<ShownOrder> {
      const order = await db.$transaction(async (db) => {
        const order = await withItems(db, id)
        if (order === undefined) throw notFound("there is no such order")
        if (!next[order.status].includes(status))
          throw conflict("invalid_transition", `an order cannot go from ${order.status} to ${status}`, {
            from: order.status,
            to: status,
            allowed: next[order.status],
          })
        if (status === "CANCELLED") await giveBack(db, order, order.items)
        const isPaid = status === "CONFIRMED" && order.paymentMethod === "CASH"
        return db.order.update(id, { status, ...(isPaid && { paymentStatus: "PAID" as const }) })
      })
      return (await allShown([order]))[0]!
    },

    /** With its lines and every reference of its payments (RST-7). */
    async delete(id: string): Promise<void> {
      await db.$transaction(async (db) => {
        const order = await withItems(db, id)
        if (order === undefined) throw notFound("there is no such order")
        const refs = refsOf(order)
        const holders = await Promise.all(refs.map((paymentRef) => db.paymentRef({ paymentRef }).get()))
        for (const [i, paymentRef] of refs.entries())
          if (holders[i] === id) await db.$blind.paymentRef({ paymentRef }).delete()
        for (const item of order.items) await db.orderDetail.delete(item.id)
        await forgetPayments(db, id)
        await db.order.delete(id)
      })
    },
  }
}

export type Orders = ReturnType<typeof orders>
