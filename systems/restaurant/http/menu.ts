/* The routes of categories and dishes: those that change them, and the lists, which anybody may read. */

import * as z from "zod"
import type { Exchange } from "../../platform/http/exchange.ts"
import { route, type Route } from "../../platform/http/route.ts"
import { writtenInTurns } from "../../platform/http/written-together.ts"
import type { RestaurantContext } from "../context.ts"
import { Category, Dish } from "../schema.ts"
import type { Categories, Dishes } from "../services/menu.ts"
import type { ListPage } from "../services/pages.ts"
import { checkId, crud } from "./crud.ts"
import { CategoryId, DishId, flag, ImageUrl, Name, pageOf, paging, Price, stamps, Stock, Words } from "./fields.ts"
import { staff, type Guard } from "./guard.ts"

const filter = { available: flag.optional(), search: z.string().max(200).optional(), lowStock: flag.optional() }

type Served = Pick<RestaurantContext, "redis" | "addressOf">

export const menuRoutes = (guarded: Guard, categories: Categories, dishes: Dishes, served: Served) =>
  allMenuRoutes(guarded, categories, dishes).map((given) => (isList(given) ? longInTurn(given, served) : given))

const isList = ({ query }: Route): boolean => typeof query === "object" && "pageSize" in query

/** The default page size: longer pages are written in turn. */
const SHORT_PAGE = 20

/** Lists that anybody may ask for, as often as they like: long pages are written in turn, and not all of them may wait. */
function longInTurn(list: Route, { redis, addressOf }: Served): Route {
  const long = writtenInTurns(redis, "long pages", async (name) => list.handle(JSON.parse(name) as never))
  return {
    ...list,
    errors: [...(list.errors ?? []), 429],
    handle({ params, query, http }: Asked) {
      if (query.pageSize <= SHORT_PAGE) return list.handle({ params, query } as never)
      return long(addressOf(http.env.incoming), JSON.stringify({ params, query }))
    },
  }
}
interface Asked {
  readonly params: unknown
  readonly query: ListPage
  readonly http: Exchange
}

const allMenuRoutes = (guarded: Guard, categories: Categories, dishes: Dishes): Route[] => [
  ...crud(guarded, {
    one: "category",
    many: "categories",
    id: CategoryId,
    fields: { name: Name, description: Words },
    optional: ["description"],
    shown: Category,
    ...categories,
  }),
  route("GET /api/categories/{id}/dishes", {
    summary: "The dishes of a category.",
    params: { id: CategoryId },
    query: { ...filter, ...paging },
    answer: pageOf(Dish),
    errors: [404],
    async handle({ params, query }) {
      await categories.get(params.id)
      return dishes.list({ ...query, categoryId: params.id })
    },
  }),
  ...crud(guarded, {
    one: "dish",
    many: "dishes",
    id: DishId,
    fields: {
      name: Name,
      description: Words,
      price: Price,
      imageUrl: ImageUrl,
      categoryId: CategoryId,
      stock: Stock,
      available: z.boolean(),
    },
    optional: ["description", "imageUrl", "stock", "available"],
    ignored: ["soldToday"],
    shown: Dish,
    writers: staff,
    query: { ...filter, categoryId: CategoryId.optional() },
    ...dishes,
  }),
  guarded("DISHES", { roles: staff })("POST /api/dishes/{id}/stock", {
    summary: "Changes the stock of a dish, by a number or to a number.",
    params: { id: DishId },
    body: z.union([
      z.strictObject({ delta: z.int().min(-1_000_000_000).max(1_000_000_000), id: z.unknown().optional() }),
      z.strictObject({ stock: Stock, id: z.unknown().optional() }),
    ]),
    ignored: ["soldToday", ...stamps],
    answer: Dish,
    errors: [404, 409],
    handle({ params, body }) {
      checkId(body.id, params.id)
      return dishes.changeStock(params.id, body)
    },
  }),
]
