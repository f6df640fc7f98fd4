import { job } from "keywright"
import type { ShopContext } from "../context.ts"

/** Removes the oldest sessions above the limit, a batch at a time (SHOP-19); what is no token is passed over (ALL-11). */
export const cleanSessions = ({ db, settings, log, lenient }: ShopContext) =>
  job({
    name: "shop.clean",
    every: "1s",
    again: ({ removed }) => removed > 0,
    onError: (error) => log.warn("clean failed", { code: (error as { code?: string }).code }),
    async run() {
      const { sessionLimit: limit, cleanBatch } = settings
      const excess = (await db.recent().size()) - limit
      for (let from = 0; from < excess; from += cleanBatch) {
        const tokens = await db.recent().range(from, Math.min(excess, from + cleanBatch) - 1, lenient)
        const each = tokens.map((token) => ({ token }))
        if (tokens.length > 0) return { removed: await db.$steps.clean({ viewed: each, cart: each, limit, tokens }) }
      }
      return { removed: 0 }
    },
  })
