import * as z from "zod"
import type { MethodAndPath } from "../../platform/http/route.ts"
import { CartDetail } from "../schema.ts"
import type { Carts } from "../services/cart.ts"
import type { Checkouts } from "../services/checkout.ts"
import type { BuyerIp } from "./buyer-ip.ts"
import { CartDetailId, CheckedOut, DishId, Quantity, receiver, ShownCart, stamps } from "./fields.ts"
import { everyone, type Guard } from "./guard.ts"

/** What is worked out here, whatever a client says. */
const owned = [
  "id",
  "cartId",
  "userId",
  "price",
  "total",
  "totalPrice",
  "status",
  "paymentStatus",
  "paymentRef",
  ...stamps,
]

export const cartRoutes = (guarded: Guard, carts: Carts, checkouts: Checkouts, ipOf: BuyerIp) => {
  // Each of them reads the whole cart, which may be large.
  const mine = guarded("CART", { roles: everyone, isFew: true })
  const view = (request: MethodAndPath, summary: string) =>
    mine(request, { summary, answer: ShownCart, handle: ({ caller }) => carts.view(caller.user.id) })
  return [
    view("GET /cart", "Your cart."),
    view("GET /cart/get-all-dish", "Your cart, under its older name."),
    mine("DELETE /cart", {
      summary: "Empties your cart.",
      handle: ({ caller }) => carts.clear(caller.user.id),
    }),
    mine("POST /cart/add-dish", {
      summary: "Puts a dish into your cart.",
      body: z.strictObject({ dishId: DishId, quantity: Quantity }),
      ignored: owned,
      answer: CartDetail,
      status: 201,
      errors: [404, 409],
      handle: ({ caller, body }) => carts.add(caller.user, body.dishId, body.quantity),
    }),
    mine("PUT /cart/update-dish", {
      summary: "Changes how many of a dish are in your cart.",
      body: z.strictObject({ cartItemId: CartDetailId, quantity: Quantity }),
      ignored: [...owned, "dishId"],
      answer: CartDetail,
      errors: [404, 409],
      handle: ({ caller, body }) => carts.update(caller.user.id, body.cartItemId, body.quantity),
    }),
    mine("DELETE /cart/delete-dish/{id}", {
      summary: "Takes a dish out of your cart.",
      params: { id: CartDetailId },
      errors: [404],
      handle: ({ caller, params }) => carts.remove(caller.user.id, params.id),
    }),
    mine("POST /cart/checkout", {
      summary: "Orders what is in your cart.",
      body: z.strictObject(receiver).optional(),
      ignored: owned,
      answer: CheckedOut,
      status: 201,
      errors: [400, 409],
      handle: ({ caller, body, http }) => checkouts.checkout(caller.user, body ?? {}, ipOf(http)),
    }),
  ]
}
