import * as z from "zod"
import { Order, OrderDetail, Payment } from "../schema.ts"
import type { Checkouts } from "../services/checkout.ts"
import type { Orders } from "../services/orders.ts"
import type { BuyerIp } from "./buyer-ip.ts"
import { checkId } from "./crud.ts"
import {
  CheckedOut,
  DishId,
  flag,
  OrderId,
  pageOf,
  paging,
  Quantity,
  receiver,
  ShownOrder,
  stamps,
  UserId,
} from "./fields.ts"
import { admins, everyone, staff, type Guard } from "./guard.ts"

const Status = Order.shape.status
const ShownPayment = Payment.extend({ paymentRef: z.string() })
/** Prices are the menu's: one that is sent along is dropped. */
const Item = z
  .strictObject({ dishId: DishId, quantity: Quantity, price: z.unknown().optional(), total: z.unknown().optional() })
  .transform(({ dishId, quantity }) => ({ dishId, quantity }))

export const orderRoutes = (guarded: Guard, orders: Orders, checkouts: Checkouts, ipOf: BuyerIp) => [
  guarded("ORDERS", { roles: staff, isFew: true })("GET /api/orders", {
    summary: "All orders, the newest first.",
    query: {
      status: Status.optional(),
      paymentStatus: Order.shape.paymentStatus.optional(),
      toRefund: flag.optional(),
      ...paging,
    },
    answer: pageOf(ShownOrder),
    handle: ({ query }) => orders.list(query),
  }),
  guarded("ORDERS", { roles: everyone, isFew: true })("GET /api/orders/mine", {
    summary: "Your orders, the newest first.",
    query: paging,
    answer: pageOf(ShownOrder),
    handle: ({ caller, query }) => orders.mine(caller.user.id, query),
  }),
  guarded("ORDERS", { roles: staff })("POST /api/orders", {
    summary: "Orders dishes for a user, or for a guest who gives only a name.",
    body: z.strictObject({ ...receiver, userId: UserId.nullable().optional(), items: z.array(Item).min(1).max(200) }),
    ignored: ["id", "totalPrice", "status", "paymentStatus", "paymentRef", ...stamps],
    answer: CheckedOut,
    status: 201,
    errors: [404, 409],
    handle: ({ caller, body, http }) => checkouts.order(body, caller.user.email, ipOf(http)),
  }),
  guarded("ORDERS", { roles: everyone, isFew: true })("GET /api/orders/{id}", {
    summary: "One of your orders with its dishes; staff see everybody's.",
    params: { id: OrderId },
    answer: ShownOrder.extend({
      orderItems: z.array(OrderDetail.extend({ dishName: z.string().nullable() })),
      payments: z.array(ShownPayment).optional(),
    }),
    errors: [404],
    handle: ({ caller, params }) => orders.get(params.id, caller),
  }),
  guarded("ORDERS", { roles: staff })("PUT /api/orders/{id}/status", {
    summary: "Takes an order to its next state.",
    params: { id: OrderId },
    body: z.strictObject({ status: Status, id: z.unknown().optional() }),
    ignored: ["userId", "totalPrice", "paymentStatus", "paymentRef", ...stamps],
    answer: ShownOrder,
    errors: [404, 409],
    handle({ params, body }) {
      checkId(body.id, params.id)
      return orders.setStatus(params.id, body.status)
    },
  }),
  guarded("ORDERS", { roles: admins })("DELETE /api/orders/{id}", {
    summary: "Removes an order with everything that belongs to it.",
    params: { id: OrderId },
    errors: [404],
    handle: ({ params }) => orders.delete(params.id),
  }),
]
