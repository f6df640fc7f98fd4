import * as z from "zod"
import { route, type Route } from "../../platform/http/route.ts"
import { Category, Dish } from "../schema.ts"
import type { Categories, Dishes } from "../services/menu.ts"
import { checkId, crud } from "./crud.ts"
import { CategoryId, DishId, flag, ImageUrl, Name, pageOf, paging, Price, stamps, Stock, Words } from "./fields.ts"
import { staff, type Guard } from "./guard.ts"

const filter = { available: flag.optional(), search: z.string().max(200).optional(), lowStock: flag.optional() }

/** Long answers are written in turn, and not all of them may wait. */
const mayBeRefused = (given: Route): Route =>
  given.method === "GET" && given.path === "/api/dishes" ? { ...given, errors: [...(given.errors ?? []), 429] } : given

export const menuRoutes = (guarded: Guard, categories: Categories, dishes: Dishes) => [
  ...crud(guarded, {
    one: "category",
    many: "categories",
    id: CategoryId,
    fields: { name: Name, description: Words },
    optional: ["description"],
    shown: Category,
    ...categories,
  }),
  route({
    method: "GET",
    path: "/api/categories/{id}/dishes",
    summary: "The dishes of a category.",
    params: { id: CategoryId },
    query: { ...filter, ...paging },
    answer: pageOf(Dish),
    errors: [404, 429],
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
  }).map(mayBeRefused),
  guarded(
    "DISHES",
    staff,
  )({
    method: "POST",
    path: "/api/dishes/{id}/stock",
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
