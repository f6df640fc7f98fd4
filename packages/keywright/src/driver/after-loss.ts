/* Outcomes of a call that was sent, whose answer was lost, and that was sent again
 * because asking twice does no harm. The first attempt may have been carried out, and no
 * later refusal can rule that out: LOADING, OOM or a refused connection only say what
 * became of the last attempt. */

import { refusedAgain } from "../errors/driver.ts"
import { KeywrightError } from "../errors/error.ts"
import { OutcomeUnknown } from "../errors/outcome.ts"
import type { Reply } from "./driver.ts"

/** What the call is rejected with. */
export function errorAfterLoss<E>(error: E, command: string, where: string): E | OutcomeUnknown {
  if (!(error instanceof KeywrightError) || error instanceof OutcomeUnknown) return error
  return refusedAgain(command, where, error)
}

/** The reply, with the errors of a batch or a transaction in place. */
export function replyAfterLoss<R extends Reply>(reply: R, command: string, where: string): R {
  if (!Array.isArray(reply) || !reply.some((one) => one instanceof KeywrightError)) return reply
  return reply.map((one: Reply) => errorAfterLoss(one, command, where)) as readonly Reply[] as R
}
