/* RST-41: staff learn when little is left of a dish after a sale: a line in the log, and a
 * number to be watched. `GET /api/dishes?lowStock=true` lists them. */

import type { Dish, RestaurantContext } from "../context.ts"

export function stockNotices({ settings, metrics, log }: RestaurantContext) {
  const notices = metrics.counter("restaurant_low_stock_total", "Sales after which little was left of a dish.")
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
