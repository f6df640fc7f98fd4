import { job } from "keywright"
import type { ShopContext } from "../context.ts"

/**
 * How many sessions beyond a batch a pass offers for removal, attempt by attempt. Those chosen first may all be touched
 * before they are removed, and are fresh then; the next ones go in their place. Nobody touches four thousand sessions
 * between two commands, so the attempts are bounded and a pass above the limit still removes one.
 */
const SPARE = [0, 16, 256, 4096]

/** Removes the oldest sessions above the limit, a batch at a time (SHOP-19); invalid tokens are skipped (ALL-11). */
export const cleanSessions = ({ db, settings, log, lenient }: ShopContext) => {
  const { sessionLimit: limit, cleanBatch } = settings

  /** A batch of the oldest tokens and some to spare; invalid ones fill no batch. */
  const oldest = async (excess: number, spare: number): Promise<string[]> => {
    for (let from = 0; from < excess; from += cleanBatch) {
      const to = Math.min(excess, from + cleanBatch) + spare
      const tokens = await db.recent().range(from, to - 1, lenient)
      if (tokens.length > 0) return tokens
    }
    return []
  }

  return job({
    name: "shop.clean",
    every: "1s",
    again: ({ removed }) => removed > 0,
    onError: (error) => log.warn("clean failed", { code: (error as { code?: string }).code }),
    async run() {
      for (const spare of SPARE) {
        const excess = (await db.recent().size()) - limit
        if (excess <= 0) break
        const tokens = await oldest(excess, spare)
        if (tokens.length === 0) break
        const each = tokens.map((token) => ({ token }))
        const removed = await db.$steps.clean({ viewed: each, cart: each, limit, most: cleanBatch, tokens })
        if (removed > 0) return { removed }
      }
      return { removed: 0 }
    },
  })
}
