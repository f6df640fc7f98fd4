/* When the restaurant's day ends, nothing has been sold today (RST-15). The loop looks at
 * the clock every second, and at the dishes once a day: those that were last sold or
 * changed before today are due. So a second process, or a start in the middle of the day,
 * takes nothing away from today's sales. */

import { job } from "keywright"
import { errorFields } from "../../platform/log.ts"
import type { RestaurantContext } from "../context.ts"
import { localDay } from "../../platform/days.ts"
import type { Dishes } from "../services/menu.ts"

export function resetSoldToday({ clock, settings, log }: RestaurantContext, dishes: Dishes) {
  const dayOf = localDay(settings.timeZone)
  let doneFor = ""
  return job({
    name: "restaurant.reset-sold-today",
    every: "1s",
    onError: (error) => log.warn("the daily reset failed", errorFields(error)),
    async run() {
      const today = dayOf(clock.now())
      if (today === doneFor) return { reset: 0 }
      const reset = await dishes.resetSoldToday(
        ({ updatedAt }) => typeof updatedAt !== "string" || dayOf(updatedAt) < today,
      )
      doneFor = today
      return { reset }
    },
  })
}
