import { KeywrightError } from "../errors/error.ts"
import { NotApplied, OutcomeUnknown } from "../errors/outcome.ts"

/** The server cannot be reached, does not answer in time, or is in no state to answer: it may be again later. */
export const isUnavailable = (error: unknown): error is KeywrightError =>
  (error instanceof NotApplied || error instanceof OutcomeUnknown) &&
  !["CALL.ABORTED", "DRIVER.ABORTED", "DRIVER.COMMAND", "DRIVER.CLOSED"].includes(error.code)
