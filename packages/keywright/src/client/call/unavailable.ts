import { KeywrightError } from "../../errors/error.ts"
import { NotApplied, OutcomeUnknown } from "../../errors/outcome.ts"

/**
 * The server cannot be reached, does not answer in time, or is in no state to answer: it may be again later. Of a
 * transaction that the server discarded, what it was discarded for counts.
 */
export function isUnavailable(error: unknown): error is KeywrightError {
  const reason = error instanceof KeywrightError && error.code === "SERVER.EXECABORT" ? error.cause : error
  return (
    (reason instanceof NotApplied || reason instanceof OutcomeUnknown) &&
    !["CALL.ABORTED", "DRIVER.ABORTED", "DRIVER.COMMAND", "DRIVER.CLOSED"].includes(reason.code)
  )
}
