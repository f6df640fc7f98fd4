import { job } from "keywright"
import type { ShopContext } from "../context.ts"

/** Halves the popularity of all items, once per interval in any process (SHOP-21, SHOP-22). */
export const rescalePopularity = ({ db, settings, log }: ShopContext) =>
  job({
    name: "shop.rescale",
    every: `${settings.rescaleEvery}s`,
    lease: { on: db, per: "interval" },
    onError: (error) => log.warn("rescale failed", { code: (error as { code?: string }).code }),
    run: async () => ({ kept: await db.$steps.rescale({ keep: settings.popularKept }) }),
  })
