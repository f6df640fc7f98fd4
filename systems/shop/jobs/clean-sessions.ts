import { job } from "keywright"
import type { ShopContext } from "../context.ts"

/** Removes the oldest sessions above the limit, a batch at a time (SHOP-19). */
export const cleanSessions = ({ db, settings, log }: ShopContext) =>
  job({
    name: "shop.clean",
    every: "1s",
    again: ({ removed }) => removed > 0,
    onError: (error) => log.warn("clean failed", { code: (error as { code?: string }).code }),
    async run() {
      const { sessionLimit: limit, cleanBatch } = settings
      const excess = (await db.recent().size()) - limit
      if (excess <= 0) return { removed: 0 }
      const tokens = await db.recent().range(0, Math.min(excess, cleanBatch) - 1)
      const each = tokens.map((token) => ({ token }))
      return { removed: await db.$steps.clean({ viewed: each, cart: each, limit, tokens }) }
    },
  })
