/* Where many keys are gone through, one that does not hold what it should does not stop
 * the others (ALL-11): it is reported and skipped. */

import { type ManyNotes, Undecodable, WrongType } from "keywright"

/** The result of a call, or undefined when its key is corrupt. */
export const tolerant =
  ({ onUndecodable }: Pick<Required<ManyNotes>, "onUndecodable">) =>
  async <T>(call: Promise<T>): Promise<T | undefined> => {
    try {
      return await call
    } catch (error) {
      if (!isCorrupt(error)) throw error
      onUndecodable(error)
      return undefined
    }
  }

/** A key does not hold what its codec reads, or is of another type. */
export const isCorrupt = (error: unknown): error is Undecodable | WrongType =>
  error instanceof Undecodable || error instanceof WrongType
