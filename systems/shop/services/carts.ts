/* Carts: how many of each item a session wants. A quantity is set, not added (SHOP-C9). */

import type { ShopContext } from "../context.ts"
import { noSession } from "./sessions.ts"

export type CartItems = Record<string, number>

export function carts({ db, log }: ShopContext) {
  /** One corrupt entry does not hide the others: it is skipped and reported (ALL-11). */
  const itemsOf = (entries: Iterable<readonly [item: string, quantity: string]>): CartItems => {
    const items: CartItems = Object.create(null) as CartItems
    let corrupt = 0
    for (const [item, quantity] of entries) {
      if (/^[1-9]\d{0,15}$/.test(quantity)) items[item] = Number(quantity)
      else corrupt += 1
    }
    if (corrupt > 0) log.error("corrupt elements", { pattern: db.cart.pattern, elements: corrupt })
    return items
  }

  const set = async (token: string, item: string, quantity: number): Promise<CartItems> => {
    const entries = await db.$steps.setInCart({ token, session: token, item, quantity })
    if (entries === undefined) throw noSession()
    return itemsOf(entries)
  }

  return {
    /** Sets a quantity; 0 or less removes the item (SHOP-7). */
    set,

    async remove(token: string, item: string): Promise<void> {
      await set(token, item, 0)
    },

    /** SHOP-8 */
    async get(token: string): Promise<CartItems> {
      const entries = await db.$steps.readCart({ token, session: token })
      if (entries === undefined) throw noSession()
      return itemsOf(entries)
    },

    /** SHOP-8 */
    async clear(token: string): Promise<void> {
      if (!(await db.$steps.clearCart({ token, session: token }))) throw noSession()
    },

    /** How many there are, by SCAN. */
    async count(): Promise<number> {
      let count = 0
      for await (const _ of db.cart.scan()) count += 1
      return count
    },
  }
}

export type Carts = ReturnType<typeof carts>
