import { job } from "keywright"
import { errorFields } from "../../platform/log.ts"
import type { RestaurantContext } from "../context.ts"
import type { Integrity } from "../services/integrity.ts"

/** Checks all indexes every `integrityEvery` seconds; /health has the result (RST-40). */
export const checkIndexes = ({ settings, log }: RestaurantContext, integrity: Integrity) =>
  job({
    name: "restaurant.check-indexes",
    every: `${settings.integrityEvery}s`,
    onError: (error) => log.warn("the check of the indexes failed", errorFields(error)),
    async run({ signal }) {
      const { keys, findings, unreadable } = await integrity.check(signal)
      if (findings.length > 0) log.error("the data is inconsistent", { findings: findings.length })
      if (unreadable !== undefined) log.error("keys could not be checked", { unreadable })
      return { keys, findings: findings.length }
    },
  })
