import { job } from "keywright"
import type { ShopContext } from "../context.ts"
import { itemsOfAll } from "../services/popularity.ts"

/** With shards: makes the views of all of them part of the popularity, and bounds how many items that has. */
export const drainViews = ({ db, settings, log }: ShopContext) =>
  job({
    name: "shop.drain",
    every: `${settings.drainEvery}s`,
    // One process is enough, and another one takes over within seconds.
    lease: { on: db, ttl: "5s" },
    onError: (error) => log.warn("drain failed", { code: (error as { code?: string }).code }),
    async run({ signal }) {
      try {
        const { batches } = await db.$drains.views.run({ signal })
        return { batches }
      } finally {
        // Whatever this pass did: others may have put batches and died, and one shard that fails does not stop the rest.
        await db.$steps.trim(itemsOfAll(settings))
      }
    },
  })
