import { job } from "keywright"
import { backup } from "keywright/operate"
import { errorFields } from "../../platform/log.ts"
import type { RestaurantContext } from "../context.ts"

/** A snapshot every `backupEvery` seconds; of several processes, one asks for it (RST-38). */
export const backUp = ({ db, settings, log }: RestaurantContext) =>
  job({
    name: "restaurant.back-up",
    every: `${settings.backupEvery}s`,
    lease: { on: db, per: "interval" },
    onError: (error) => log.warn("the backup failed", errorFields(error)),
    run: async ({ signal }) => ({ snapshots: (await backup(db.$driver(), { signal })).length }),
  })
