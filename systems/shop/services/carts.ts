/* Carts: how many of each item a session wants. A quantity is set, not added (SHOP-C9). */

import type { ShopContext } from "../context.ts"
import { noSession } from "./sessions.ts"

export type CartItems = Record<string, number>

export function carts({ db, lenient, settings }: ShopContext) {
  const change = async (token: string, item: string, quantity: number): Promise<void> => {
    const most = settings.cartItems
    if (!(await db.$steps.setInCart({ token, session: token, item, quantity, most }))) throw noSession()
  }

  return {
    /** Sets a quantity; 0 or less removes the item (SHOP-7). Returns the whole cart. */
    async set(token: string, item: string, quantity: number): Promise<CartItems> {
      await change(token, item, quantity)
      return Object.fromEntries(await db.session({ token }).cart().all(lenient))
    },

    remove: (token: string, item: string) => change(token, item, 0),

    /** SHOP-8 */
    async get(token: string): Promise<CartItems> {
      const [isLive, items] = await db.$multi((db) => {
        const { login, cart } = db.session({ token })
        return [login().has(token), cart().all(lenient)]
      })
      if (!isLive) throw noSession()
      return Object.fromEntries(items)
    },

    /** SHOP-8 */
    async clear(token: string): Promise<void> {
      if (!(await db.$steps.clearCart({ token, session: token }))) throw noSession()
    },

    /** How many there are, by SCAN. */
    async count(): Promise<number> {
      let count = 0
      for await (const _ of db.session.cart.scan()) count += 1
      return count
    },
  }
}

export type Carts = ReturnType<typeof carts>
