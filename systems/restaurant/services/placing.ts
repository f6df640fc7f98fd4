/* An order is placed: the order, its lines, the stock, and where it is to be paid through
 * VNPay, the reference of its first payment. Part of a transaction that has read the
 * dishes, so that stock never goes below zero (RST-22 to RST-24, RST-34). */

import { badRequest, conflict, notFound } from "../../platform/http/problem.ts"
import type { Dish, Order, Transaction } from "../context.ts"
import { paymentRefOf } from "./payment-refs.ts"
import type { receiverOf } from "./receivers.ts"

export interface OrderLine {
  readonly dishId: string
  readonly quantity: number
  readonly price: number
  readonly total: number
  readonly dish: Dish | undefined
}

export interface Placing {
  readonly userId: string | null
  readonly receiver: ReturnType<typeof receiverOf>
  readonly paymentMethod: Order["paymentMethod"]
  readonly lines: readonly OrderLine[]
}

export interface PlacedOrder {
  readonly order: Order
  /** The dishes as they are after it. */
  readonly dishes: readonly Dish[]
}

export async function place(
  db: Transaction,
  { userId, receiver, paymentMethod, lines }: Placing,
): Promise<PlacedOrder> {
  const sold = soldOf(lines)
  const totalPrice = lines.reduce((sum, line) => sum + line.total, 0)
  if (!Number.isFinite(totalPrice) || totalPrice > Number.MAX_SAFE_INTEGER / 100)
    throw badRequest("total_too_large", "no order is that large")
  let order: Order = await db.order.create({
    userId,
    ...receiver,
    totalPrice,
    status: "PENDING",
    paymentMethod,
    paymentStatus: "PAYMENT_UNPAID",
    paymentRef: null,
  })
  if (paymentMethod === "VNPAY") {
    const paymentRef = paymentRefOf(order.id, 1)
    order = await db.order.update(order.id, { paymentRef })
    await db.paymentRef({ paymentRef }).set(order.id)
  }
  for (const { dishId, quantity, price } of lines)
    await db.orderDetail.create({ orderId: order.id, dishId, quantity, price })
  const dishes: Dish[] = []
  for (const [dish, quantity] of sold)
    dishes.push(
      await db.dish.update(dish.id, {
        stock: typeof dish.stock === "number" ? dish.stock - quantity : null,
        soldToday: (dish.soldToday ?? 0) + quantity,
      }),
    )
  return { order, dishes }
}

/** How many of each dish; 409 with all that cannot be had. */
function soldOf(lines: readonly OrderLine[]): Map<Dish, number> {
  const sold = new Map<string, { dish: Dish | undefined; quantity: number }>()
  for (const { dishId, dish, quantity } of lines)
    sold.set(dishId, { dish, quantity: (sold.get(dishId)?.quantity ?? 0) + quantity })
  const unavailable: object[] = []
  const short: object[] = []
  for (const [dishId, { dish, quantity }] of sold) {
    if (dish === undefined || dish.available === false) unavailable.push({ dishId, name: dish?.name ?? null })
    else if (typeof dish.stock === "number" && dish.stock < quantity)
      short.push({ dishId, name: dish.name, stock: dish.stock, wanted: quantity })
  }
  if (unavailable.length > 0)
    throw conflict("dish_unavailable", "some dishes are no longer available", { dishes: [...unavailable, ...short] })
  if (short.length > 0) throw conflict("insufficient_stock", "there is not enough left", { dishes: short })
  return new Map([...sold.values()].map(({ dish, quantity }) => [dish!, quantity]))
}

/** 404 for a dish that does not exist: for orders that name dishes themselves. */
export const lineOf = (dish: Dish | undefined, quantity: number): OrderLine => {
  if (dish === undefined) throw notFound("there is no such dish")
  return { dishId: dish.id, quantity, price: dish.price, total: dish.price * quantity, dish }
}
