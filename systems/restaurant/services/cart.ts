/* Carts. A user has one, from the first dish to the checkout; each change is one
 * transaction that reads in one round trip and drops the cached view (RST-17 to RST-20). */

import { conflict, notFound, unauthorized } from "../../platform/http/problem.ts"
import { isCorrupt } from "../../platform/tolerant.ts"
import type { CartDetail, CartView, Dish, RestaurantContext, Transaction } from "../context.ts"
import { readAll } from "./pages.ts"
import type { CountedTransaction } from "./counted-transaction.ts"

interface CartOwner {
  readonly id: string
  readonly email: string
}

export function carts({ db, settings, lenient }: RestaurantContext, inTransaction: CountedTransaction) {
  const cartOf = (db: Transaction, userId: string) => db.cart.find("user", { userId }, WITH_ITEMS)

  /** A line with this quantity, at the price that the dish has now. */
  const priced = (dish: Dish, quantity: number) => ({ quantity, price: dish.price, total: dish.price * quantity })

  /** 404, or 409 when there are not enough of it; `others` are in the cart already. */
  const checkDish = (dish: Dish | undefined, quantity: number, others: number): Dish => {
    if (dish === undefined) throw notFound("there is no such dish")
    if (dish.available === false) throw conflict("dish_unavailable", "this dish is not available", { dishId: dish.id })
    if (typeof dish.stock === "number" && dish.stock < quantity + others)
      throw conflict("insufficient_stock", "there is not enough left", { dishId: dish.id, stock: dish.stock })
    return dish
  }

  /** How many of a dish other lines of the cart have. */
  const othersOf = (items: readonly CartDetail[], dishId: string, line?: string): number =>
    items.reduce((sum, item) => (item.dishId === dishId && item.id !== line ? sum + item.quantity : sum), 0)

  /** A user who is deleted meanwhile gets no cart: it would belong to nobody (RST-7). */
  const openCart = async (db: Transaction, userId: string): Promise<string> => {
    if (!(await db.user.exists(userId))) throw unauthorized("the account is gone")
    return (await db.cart.create({ userId })).id
  }

  /** As it is stored, and stored in the cache unless the cart changed meanwhile: then it is only read again. */
  const readView = async (userId: string): Promise<CartView | undefined> => {
    let tries = 0
    return db.$transaction(async (db) => {
      const cart = await cartOf(db, userId)
      if (cart === undefined) return undefined
      const view = { id: cart.id, items: cart.items.map(viewed) }
      if (tries++ === 0) await db.cartCache({ userId }).set(view)
      return view
    })
  }

  /** Lines that cannot be read are left out, and nothing is cached. */
  const readViewLeniently = async (userId: string): Promise<CartView | undefined> => {
    const cart = await db.cart.find("user", { userId })
    if (cart === undefined) return undefined
    const ids = await db.cartDetail.listIds("cart", { cartId: cart.id })
    const items = (await readAll(db.cartDetail, ids, lenient)).filter((item) => item?.cartId === cart.id)
    return { id: cart.id, items: items.map((item) => item!) }
  }

  const cachedView = async (userId: string): Promise<CartView | undefined> => {
    try {
      return (await db.cartCache({ userId }).get()) ?? (await readView(userId))
    } catch (error) {
      if (!isCorrupt(error)) throw error
      return readViewLeniently(userId)
    }
  }

  return {
    /** Names, images and availability are those of the dishes now (RST-20). */
    async view(userId: string) {
      const view = await cachedView(userId)
      if (view === undefined) return { id: null, items: [], total: 0 }
      const ids = [...new Set(view.items.map((item) => item.dishId))]
      const found = ids.length === 0 ? [] : await readAll(db.dish, ids, lenient)
      const dishes = new Map(found.flatMap((dish) => (dish ? [[dish.id, dish]] : [])))
      const items = view.items.map(({ id, dishId, quantity, price, total }) => {
        const dish = dishes.get(dishId)
        return {
          id,
          dishId,
          name: dish?.name ?? null,
          imageUrl: dish?.imageUrl ?? null,
          available: dish !== undefined && dish.available !== false,
          quantity,
          price,
          total,
        }
      })
      return { id: view.id, items, total: items.reduce((sum, item) => sum + item.total, 0) }
    },

    /** RST-17: one round trip where cart and dish were seen before; else two, and a third for a cart that there was not. */
    add: ({ id: userId, email }: CartOwner, dishId: string, quantity: number): Promise<CartDetail> =>
      inTransaction(async (db) => {
        const [cart, found] = await Promise.all([cartOf(db, userId), db.dish.get(dishId)])
        const items = cart?.items ?? []
        const line = settings.mergeCartLines ? items.find((item) => item.dishId === dishId) : undefined
        const wanted = quantity + (line?.quantity ?? 0)
        const dish = checkDish(found, wanted, othersOf(items, dishId, line?.id))
        if (wanted > MOST_OF_A_DISH) throw conflict("too_many", `no more than ${MOST_OF_A_DISH} of a dish`)
        if (line === undefined && items.length >= settings.cartLines)
          throw conflict("cart_full", `a cart has at most ${settings.cartLines} lines`)
        await db.$blind.cartCache({ userId }).delete()
        if (line !== undefined) return db.cartDetail.update(line.id, priced(dish, wanted))
        const cartId = cart?.id ?? (await openCart(db, userId))
        return db.cartDetail.create({ cartId, dishId, ...priced(dish, wanted) })
      }, email),

    /** RST-18; a line of somebody else's cart is not there (RST-12). */
    update: (userId: string, lineId: string, quantity: number): Promise<CartDetail> =>
      db.$transaction(async (db) => {
        const cart = await cartOf(db, userId)
        const line = cart?.items.find((item) => item.id === lineId)
        if (line === undefined) throw notFound("there is no such line in your cart")
        const dish = checkDish(await db.dish.get(line.dishId), quantity, othersOf(cart!.items, line.dishId, lineId))
        await db.$blind.cartCache({ userId }).delete()
        return db.cartDetail.update(lineId, priced(dish, quantity))
      }),

    /** RST-19 */
    async remove(userId: string, lineId: string): Promise<void> {
      await db.$transaction(async (db) => {
        const cart = await cartOf(db, userId)
        if (!cart?.items.some((item) => item.id === lineId)) throw notFound("there is no such line in your cart")
        await db.$blind.cartCache({ userId }).delete()
        await db.cartDetail.delete(lineId)
      })
    },

    /** The cart itself stays. */
    async clear(userId: string): Promise<void> {
      await db.$transaction(async (db) => {
        const cart = await cartOf(db, userId)
        if (cart !== undefined) await db.cartDetail.deleteAll("cart", { cartId: cart.id })
        await db.$blind.cartCache({ userId }).delete()
      })
    },
  }
}

const viewed = ({ id, dishId, quantity, price, total }: CartDetail) => ({ id, dishId, quantity, price, total })

const WITH_ITEMS = { with: { items: true } } as const

const MOST_OF_A_DISH = 99_999

export type Carts = ReturnType<typeof carts>
