/* Checkout: the cart becomes an order, as one (RST-21 to RST-25). Everything is read in
 * one round trip and committed in another; whatever changed in between makes it start again. */

import { badRequest, conflict, unavailable } from "../../platform/http/problem.ts"
import type { CartDetail, Order, User } from "../context.ts"
import { deleteCart } from "./cart-records.ts"
import { isOff } from "./money.ts"
import type { OpenOrders } from "./open-orders.ts"
import { lineOf, place, type PlacedOrder } from "./placing.ts"
import { receiverOf, type Receiver } from "./receivers.ts"
import type { StockNotices } from "./stock-notices.ts"
import type { CountedTransaction } from "./counted-transaction.ts"
import type { VnPay } from "./vnpay.ts"

export interface CheckoutRequest extends Receiver {
  readonly paymentMethod?: Order["paymentMethod"] | undefined
}

export interface OrderRequest extends CheckoutRequest {
  readonly userId?: string | null | undefined
  readonly items: readonly { readonly dishId: string; readonly quantity: number }[]
}

interface Services {
  readonly vnpay: VnPay | undefined
  readonly notices: StockNotices
  readonly open: OpenOrders
}

export function checkouts(inTransaction: CountedTransaction, { vnpay, notices, open }: Services) {
  const methodOf = (method: Order["paymentMethod"] = "CASH") => {
    if (method === "VNPAY" && vnpay === undefined)
      throw unavailable("vnpay_not_configured", "payments through VNPay are not set up here")
    return method
  }
  const done = ({ order, dishes }: PlacedOrder, ip: string) => {
    notices.look(dishes)
    const { id: orderId, status, paymentMethod, paymentStatus, totalPrice } = order
    const answer = { orderId, status, paymentMethod, paymentStatus, totalPrice }
    return paymentMethod === "VNPAY" ? { ...answer, paymentUrl: vnpay!.paymentUrl(order, ip) } : answer
  }

  return {
    /** `ip` is where the buyer is, for VNPay. */
    async checkout(user: User, request: CheckoutRequest, ip: string) {
      const paymentMethod = methodOf(request.paymentMethod)
      const receiver = receiverOf(request, user)
      await open.check(user.id)
      const placed = await inTransaction(async (db) => {
        const cart = await db.cart.find("user", { userId: user.id }, WITH_DISHES)
        const ids = cart === undefined ? [] : await db.cartDetail.listIds("cart", { cartId: cart.id })
        if (cart === undefined || ids.length === 0)
          throw badRequest("cart_empty", "Giỏ hàng trống, không thể tạo đơn hàng.")
        checkLines(ids, cart.items)
        const placed = await place(db, { userId: user.id, receiver, paymentMethod, lines: cart.items })
        await deleteCart(db, cart)
        return placed
      }, user.email)
      return done(placed, ip)
    },

    /** RST-34: staff order for a user, or for somebody who only has a name. */
    async order(request: OrderRequest, by: string, ip: string) {
      const paymentMethod = methodOf(request.paymentMethod)
      const userId = request.userId ?? null
      const placed = await inTransaction(async (db) => {
        const [user, dishes] = await Promise.all([
          userId === null ? undefined : db.user.get(userId),
          db.dish.getMany(request.items.map((item) => item.dishId)),
        ])
        if (userId !== null && user === undefined)
          throw badRequest("no_such_user", "body.userId: there is no such user")
        const receiver = receiverOf(request, user)
        const lines = request.items.map(({ quantity }, i) => lineOf(dishes[i], quantity))
        return place(db, { userId, receiver, paymentMethod, lines })
      }, by)
      return done(placed, ip)
    },
  }
}

const WITH_DISHES = { with: { items: { dish: true } } } as const

/** Money is not computed from what cannot be read as a whole, nor from lines that contradict themselves (ALL-11). */
function checkLines(ids: readonly string[], items: readonly CartDetail[]): void {
  if (items.length < ids.length) {
    const there = new Set(items.map((item) => item.id))
    const missing = ids.filter((id) => !there.has(id))
    throw conflict("cart_damaged", "lines of this cart are missing: remove it, or have it repaired", { missing })
  }
  const wrong = items.filter(({ price, quantity, total }) => isOff(total, price * quantity)).map(({ id }) => id)
  if (wrong.length > 0)
    throw conflict("cart_damaged", "totals of this cart are wrong: set the quantity of these lines again", { wrong })
}

export type Checkouts = ReturnType<typeof checkouts>
