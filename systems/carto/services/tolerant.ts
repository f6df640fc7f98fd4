/* Where many keys are gone through, one that does not hold what it should does not stop
 * the others (ALL-11): it is reported and skipped. */

import { Undecodable, WrongType } from "keywright"
import { errorFields } from "../../platform/log.ts"
import type { CartoContext } from "../context.ts"

/** The result of a call, or undefined when its key is corrupt. */
export const tolerant =
  ({ lenient, log }: Pick<CartoContext, "lenient" | "log">) =>
  async <T>(call: Promise<T>): Promise<T | undefined> => {
    try {
      return await call
    } catch (error) {
      if (error instanceof Undecodable) lenient.onUndecodable(error)
      else if (error instanceof WrongType) log.error("corrupt key", errorFields(error))
      else throw error
      return undefined
    }
  }
