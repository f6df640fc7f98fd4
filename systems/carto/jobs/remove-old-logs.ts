import { job } from "keywright"
import { jobFailed } from "../../platform/log.ts"
import type { CartoContext } from "../context.ts"
import type { RequestLog } from "../services/request-log.ts"

/** Removes logs of requests that are older than the setting logRetentionDays (CDB-C7). */
export const removeOldLogs = ({ log }: CartoContext, requestLog: RequestLog) =>
  job({
    name: "carto.log-retention",
    every: "1h",
    run: async () => ({ removed: await requestLog.removeOld() }),
    onError: jobFailed(log, "old logs not removed"),
  })
