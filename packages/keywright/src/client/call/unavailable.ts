import { isKeywrightError, KeywrightError } from "../../errors/error.ts"
import { NotApplied, OutcomeUnknown } from "../../errors/outcome.ts"

/** What a later attempt does not change. */
const LASTING = new Set([
  ...["CALL.ABORTED", "DRIVER.ABORTED", "DRIVER.ARGUMENT", "DRIVER.CLOSED", "DRIVER.COMMAND"],
  "PLAN.HALF_WRITTEN",
])

/**
 * The server cannot be reached, does not answer in time, or is not able to answer at present: a later attempt may
 * succeed. For a transaction that the server discarded, the reason for discarding it decides.
 * @example
 * const page = await db.page({ hash: "1" }).get().catch((error: unknown) => {
 *   if (isUnavailable(error)) return undefined // answer without the cache
 *   throw error
 * })
 */
export function isUnavailable(error: unknown): error is KeywrightError {
  const reason = isKeywrightError(error) && error.code === "SERVER.EXECABORT" ? error.cause : error
  return (reason instanceof NotApplied || reason instanceof OutcomeUnknown) && !LASTING.has(reason.code)
}
