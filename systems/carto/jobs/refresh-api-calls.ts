import { job } from "keywright"
import { jobFailed } from "../../platform/log.ts"
import type { CartoContext } from "../context.ts"
import type { ApiCalls } from "../services/api-calls.ts"

/** Brings api_calls up to date (CDB-18). What is fresh is skipped, so several processes do no harm. */
export const refreshApiCalls = ({ settings, log }: CartoContext, apiCalls: ApiCalls) =>
  job({
    name: "carto.api-calls",
    every: `${Math.max(1, Math.floor(settings.apiCallsEvery / 4))}s`,
    run: ({ signal }) => apiCalls.refresh(false, signal),
    onError: jobFailed(log, "api_calls not refreshed"),
  })
