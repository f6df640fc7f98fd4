import { isUnavailable, job } from "keywright"
import { errorFields } from "../../platform/log.ts"
import type { CartoContext } from "../context.ts"
import type { RequestLog } from "../services/request-log.ts"

/** Removes logs of requests that are older than the setting logRetentionDays (CDB-C7). */
export const removeOldLogs = ({ log }: CartoContext, requestLog: RequestLog) =>
  job({
    name: "carto.log-retention",
    every: "1h",
    run: async () => ({ removed: await requestLog.removeOld() }),
    onError: (error) => {
      if (!isUnavailable(error)) log.warn("old logs not removed", errorFields(error))
    },
  })
