import * as z from "zod"
import { fewOfEach } from "../../platform/few-at-once.ts"
import type { Auth } from "../../platform/http/auth.ts"
import { routeFor } from "../../platform/http/route.ts"
import type { ShopContext } from "../context.ts"
import type { Carts } from "../services/carts.ts"
import { Cart, Item, Quantity } from "./fields.ts"

/** For one session: a cart is read as a whole, and may be large. A customer may have many sessions. */
const AT_ONCE = 2

type Served = Pick<ShopContext, "redis" | "addressOf">

export const cartRoutes = (carts: Carts, session: Auth<string>, { redis, addressOf }: Served) => {
  const inTurn = fewOfEach(redis, AT_ONCE)
  const forSession = routeFor(session)
  const forFew = routeFor({ ...session, inTurn: (token, work, request) => inTurn(token, addressOf(request), work) })
  return [
    forFew("GET /cart", {
      summary: "The cart of the session.",
      answer: Cart,
      handle: async ({ caller }) => ({ items: await carts.get(caller) }),
    }),
    forSession("DELETE /cart", {
      summary: "Empties the cart.",
      handle: ({ caller }) => carts.clear(caller),
    }),
    forFew("PUT /cart/items/{item}", {
      summary: "Sets how many of an item are wanted; 0 or less removes it.",
      params: { item: Item },
      body: z.strictObject({ quantity: Quantity }),
      answer: Cart,
      errors: [409],
      handle: async ({ caller, params, body }) => ({ items: await carts.set(caller, params.item, body.quantity) }),
    }),
    forSession("DELETE /cart/items/{item}", {
      summary: "Takes an item out of the cart.",
      params: { item: Item },
      handle: ({ caller, params }) => carts.remove(caller, params.item),
    }),
  ]
}
