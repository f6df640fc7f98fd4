/* What an error of the toolkit says about Redis: that it cannot serve, or that it holds something else. */

import { isUnavailable, type KeywrightError, Refused, Undecodable, WrongType } from "keywright"

/**
 * Redis does not answer, or answers with an error: a user without rights, a command that it does not know, a server that
 * is broken. The caller can do nothing about it.
 */
export const isAway = (error: unknown): boolean =>
  isUnavailable(error) || (error instanceof Refused && !isWrongType(error) && !isUnreadable(error))

/** What the work returns; undefined when Redis is away, which is noted. */
export async function unlessAway<T>(
  redis: { suspect(error: unknown): void },
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!isAway(error)) throw error
    redis.suspect(error)
    return undefined
  }
}

/** A key is of another type than its schema says. */
export const isWrongType = (error: KeywrightError): boolean =>
  error instanceof WrongType || error.code === "TRANSACTION.WRONG_TYPE"

/** What is stored does not fit its codec, or cannot be added to: what we add is always right. */
export const isUnreadable = (error: KeywrightError): boolean =>
  error instanceof Undecodable ||
  UNREADABLE.has(error.code) ||
  (error.code === "SERVER.ERR" && CANNOT_GROW.test(error.message))

const UNREADABLE: ReadonlySet<string> = new Set([
  "TRANSACTION.NOT_A_NUMBER",
  "ENTITY.NOT_UTF8",
  "FENCE.UNREADABLE",
  "DRAIN.AMOUNT",
  "DRAIN.NUMBER",
])

/** Not a number, or a stream that has the last id. */
const CANNOT_GROW = /not an integer|not a (valid )?float|overflow|exhausted the last possible ID/
