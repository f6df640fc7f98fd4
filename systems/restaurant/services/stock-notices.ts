/* RST-41: staff learn when little is left of a dish after a sale: a line in the log, and a
 * number to be watched. `GET /api/dishes?lowStock=true` lists them. */

import type { Counter } from "../shared.ts"
import type { Dish, RestaurantContext } from "../context.ts"

export function stockNotices({ settings, log }: RestaurantContext, notices: Counter) {
  return {
    look(dishes: readonly Dish[]): void {
      for (const { id, name, stock } of dishes) {
        if (typeof stock !== "number" || stock > settings.lowStock) continue
        notices.add({})
        log.info("low stock", { dish: id, name, stock })
      }
    },
  }
}

export type StockNotices = ReturnType<typeof stockNotices>
