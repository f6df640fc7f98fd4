import type * as z from "zod"
import type { ContextOf } from "../platform/system.ts"
import type * as schema from "./schema.ts"
import type { settings } from "./settings.ts"

/** What the restaurant's services and jobs are made from. */
export type RestaurantContext = ContextOf<typeof settings, typeof schema.restaurantSchema>

/** The client inside a transaction. */
export type Transaction = Parameters<Parameters<RestaurantContext["db"]["$transaction"]>[0]>[0]

export type User = z.infer<typeof schema.User>
export type Role = z.infer<typeof schema.Role>
export type Permission = z.infer<typeof schema.Permission>
export type Category = z.infer<typeof schema.Category>
export type Dish = z.infer<typeof schema.Dish>
export type Cart = z.infer<typeof schema.Cart>
export type CartDetail = z.infer<typeof schema.CartDetail>
export type CartView = z.infer<typeof schema.CartView>
export type Order = z.infer<typeof schema.Order>
export type OrderDetail = z.infer<typeof schema.OrderDetail>
