/* The menu: categories and their dishes. Every change of a dish is decided on what is
 * stored at the commit, so none is lost against a checkout (RST-13 to RST-15). */

import { badRequest, conflict, notFound } from "../../platform/http/problem.ts"
import { nextTogether, nextTogetherOf } from "../../platform/next-together.ts"
import type { Category, Dish, RestaurantContext, Transaction } from "../context.ts"
import { pageOf, pageOfIds, readAll, there, type Page, type ListPage } from "./pages.ts"

type NewCategory = Pick<Category, "name" | "description">
export type NewDish = Pick<Dish, "name" | "price" | "categoryId"> &
  Partial<Pick<Dish, "description" | "imageUrl" | "stock" | "available">>

export interface DishFilter extends ListPage {
  readonly categoryId?: string | undefined
  readonly available?: boolean | undefined
  /** Part of the name, in any case. */
  readonly search?: string | undefined
  /** Only those that are as good as sold out (RST-41). */
  readonly lowStock?: boolean | undefined
}

export type StockChange = { readonly delta: number } | { readonly stock: number | null }

const MOST_STOCK = 1_000_000_000
/** For longer pages the whole menu is read, once for all who ask. */
const MANY = 200
const ALL = ""

export function categories({ db, lenient }: RestaurantContext) {
  return {
    create: ({ name, description = null }: NewCategory, by: string): Promise<Category> =>
      db.category.create({ name, description }, { by }),
    list: async (options: ListPage) => pageOfIds(db.category, await db.category.ids(), options, lenient),
    update: (id: string, change: Partial<NewCategory>, by: string): Promise<Category> =>
      db.category.update(id, change, { by }),

    get: async (id: string): Promise<Category> => there(await db.category.get(id), "category"),

    /** Not while there are dishes in it (RST-7). */
    async delete(id: string): Promise<void> {
      await db.$transaction(async (db) => {
        const [category, dishes] = await Promise.all([
          db.category.get(id),
          db.dish.list("category", { categoryId: id }),
        ])
        if (category === undefined) throw notFound("there is no such category")
        if (dishes.length > 0) throw conflict("category_not_empty", "a category with dishes cannot be deleted")
        await db.category.delete(id)
      })
    },
  }
}

export function dishes({ db, settings, lenient }: RestaurantContext) {
  const checkCategory = async (db: Transaction, id: string): Promise<void> => {
    if ((await db.category.get(id)) === undefined)
      throw badRequest("no_such_category", "body.categoryId: there is no such category")
  }
  // Anybody may ask for the menu, as often as they like: those who do so at the same time share what is read.
  const allIds = nextTogether(() => db.dish.ids())
  const readIn = nextTogetherOf(async (categoryId) =>
    readAll(
      db.dish,
      categoryId === ALL ? await db.dish.ids() : await db.dish.listIds("category", { categoryId }),
      lenient,
    ),
  )
  const isLow = ({ stock }: Dish) => typeof stock === "number" && stock <= settings.lowStock

  return {
    create: (given: NewDish): Promise<Dish> =>
      db.$transaction(async (db) => {
        await checkCategory(db, given.categoryId)
        return db.dish.create({
          name: given.name,
          description: given.description ?? null,
          price: given.price,
          imageUrl: given.imageUrl ?? null,
          categoryId: given.categoryId,
          stock: given.stock ?? null,
          soldToday: 0,
          available: given.available ?? true,
        })
      }),

    /** Through the index of the category where one is asked for. */
    async list({ categoryId, available, search, lowStock, ...options }: DishFilter): Promise<Page<Dish>> {
      const isWhole =
        categoryId === undefined && available === undefined && search === undefined && lowStock === undefined
      if (isWhole && options.pageSize <= MANY) return pageOfIds(db.dish, await allIds(), options, lenient)
      const words = search?.toLowerCase()
      const found = (await readIn(categoryId ?? ALL)).filter(
        (dish) =>
          dish !== undefined &&
          (categoryId === undefined || dish.categoryId === categoryId) &&
          (available === undefined || (dish.available !== false) === available) &&
          (words === undefined || dish.name.toLowerCase().includes(words)) &&
          (lowStock === undefined || isLow(dish) === lowStock),
      )
      return pageOf(found as Dish[], options)
    },

    get: async (id: string): Promise<Dish> => there(await db.dish.get(id), "dish"),

    async update(id: string, change: Partial<NewDish>): Promise<Dish> {
      const { categoryId } = change
      if (categoryId === undefined) return db.dish.update(id, change)
      return db.$transaction(async (db) => {
        await checkCategory(db, categoryId)
        return db.dish.update(id, change)
      })
    },

    /** By an amount, or to an amount; null ends the tracking (RST-14). */
    changeStock: (id: string, change: StockChange): Promise<Dish> =>
      db.dish.update(id, ({ stock }) => {
        if ("stock" in change) return { stock: change.stock }
        if (typeof stock !== "number") throw conflict("stock_not_tracked", "the stock of this dish is not tracked")
        const next = stock + change.delta
        if (next < 0) throw conflict("insufficient_stock", "there is not enough left", { stock })
        if (next > MOST_STOCK) throw conflict("too_much_stock", `no more than ${MOST_STOCK} of a dish`)
        return { stock: next }
      }),

    /** Its lines in carts become unavailable, orders keep theirs (RST-7). */
    async delete(id: string): Promise<void> {
      if (!(await db.dish.delete(id))) throw notFound("there is no such dish")
    },

    /** soldToday = 0, for all dishes or for those that `isDue` (RST-15). Returns the number of dishes. */
    async resetSoldToday(isDue: (dish: Dish) => boolean = () => true): Promise<number> {
      const sold = (dish: Dish) => (dish.soldToday ?? 0) !== 0 && isDue(dish)
      const all = await readAll(db.dish, await db.dish.ids(), lenient)
      let reset = 0
      for (const dish of all) if (dish && sold(dish) && (await resetOne(dish))) reset += 1
      return reset
    },
  }

  /** False when it was deleted meanwhile. */
  function resetOne({ id }: Dish): Promise<boolean> {
    return db.$transaction(async (db) => {
      if ((await db.dish.get(id)) === undefined) return false
      await db.dish.update(id, { soldToday: 0 })
      return true
    })
  }
}

export type Categories = ReturnType<typeof categories>
export type Dishes = ReturnType<typeof dishes>
