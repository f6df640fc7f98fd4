import { KeywrightError } from "../errors/error.ts"
import { OutcomeUnknown } from "../errors/outcome.ts"

/** Whether a call for one node of a cluster failed because that is no longer a primary: others may have taken over its slots. */
export function hasNodeLeft(error: unknown): boolean {
  const reason = error instanceof OutcomeUnknown ? error.cause : error
  return reason instanceof KeywrightError && reason.code === "CLUSTER.NODE_LEFT"
}
