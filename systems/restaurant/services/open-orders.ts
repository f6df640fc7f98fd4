/* How many orders a user may have that are neither paid nor confirmed. Each can be placed in a
 * moment, and lists of orders take the longer the more there are: without a bound one customer
 * could keep everybody waiting.
 *
 * A checkout is not to wait for it: the orders of a user are counted only now and then, after
 * some were placed in this process, and are read only when all of the user's orders reach the
 * bound. So there may be a few more. */

import { fewAtOnce } from "../../platform/few-at-once.ts"
import { conflict } from "../../platform/http/problem.ts"
import type { Order, RestaurantContext } from "../context.ts"
import { readAll } from "./pages.ts"

/** They are counted again when this part of the bound was placed. */
const PART = 32
/** Read at once: others are served in between. */
const PAGE = 100
/** Users that are remembered: beyond that, all are forgotten. */
const MOST_USERS = 10_000

export function openOrders({ db, settings, lenient }: Pick<RestaurantContext, "db" | "settings" | "lenient">) {
  const most = settings.mostOpenOrders
  const step = Math.max(1, Math.floor(most / PART))
  /** How many a user may place before they are counted. */
  const left = new Map<string, number>()
  const inTurn = fewAtOnce(1)

  const isFull = async (userId: string): Promise<boolean> => {
    if ((await db.order.count("user", { userId })) < most) return false
    const ids = await db.order.listIds("user", { userId }, { reverse: true })
    let open = 0
    for (let from = 0; from < ids.length && open < most; from += PAGE) {
      const orders = await readAll(db.order, ids.slice(from, from + PAGE), lenient)
      open += orders.filter((order) => order !== undefined && isOpen(order)).length
    }
    return open >= most
  }

  return {
    /** 409 when the user has too many; called before each order that a user places. */
    async check(userId: string): Promise<void> {
      if (most === 0) return
      if (left.size >= MOST_USERS) left.clear()
      const rest = (left.get(userId) ?? step) - 1
      left.set(userId, rest)
      if (rest > 0) return
      if (await inTurn(userId, () => isFull(userId)))
        throw conflict("too_many", `you have ${most} orders that are neither paid nor confirmed, which is the limit`)
      left.set(userId, step)
    },
  }
}

const isOpen = ({ status, paymentStatus }: Order): boolean => status === "PENDING" && paymentStatus !== "PAID"

export type OpenOrders = ReturnType<typeof openOrders>
