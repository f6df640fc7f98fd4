/* All records of a set in one round trip: SORT follows its members to their documents. Where ids are stored in
 * quotes, where the server does not let it (a cluster, a user that may not read every key, one without SORT_RO),
 * and for sets too large for one reply, the caller takes two steps. */

import type { CallOptions, Driver, Reply } from "../../driver/driver.ts"
import { listOf, unexpected } from "../call/reply.ts"
import { Refused, WrongType } from "../../errors/outcome.ts"
import type { Repository } from "./repository.ts"

const MOST = 1000

/** Servers that refused it once are not asked again. */
const refusing = new WeakSet<Driver>()

/** The result of `read` on the alternating ids and values; undefined when the server cannot answer this way. */
export function followSet<T>(
  { lane, store, form, head, tail }: Repository,
  key: string,
  options: CallOptions,
  read: (replies: readonly Reply[]) => T,
): Promise<T | undefined> | undefined {
  const { driver, direct } = lane
  if (form.isQuoted || driver.cluster || store.type !== "string" || refusing.has(driver) || !isPattern(head, tail))
    return undefined
  const command = ["SORT_RO", key, "BY", "nosort", "LIMIT", "0", String(MOST), "GET", "#", "GET", `${head}*${tail}`]
  const answered = (reply: Reply): T | undefined => {
    const replies = listOf(reply)
    if (replies.length % 2 !== 0) throw unexpected(reply, "a list of pairs")
    return replies.length < 2 * MOST ? read(replies) : undefined
  }
  // Decoded as the reply arrives, where the driver can do that.
  const reading = direct
    ? direct.ask(command, { answered, failed }, options)
    : lane.send(command, options).then(answered)
  return reading.catch((error: unknown) => {
    if (!(error instanceof Refused) || error instanceof WrongType) throw error
    refusing.add(driver)
    return undefined
  })
}

const failed = (error: unknown): unknown => error

/** SORT replaces the first star by the member, and takes an arrow for a field of a hash. */
const isPattern = (head: string, tail: string): boolean => !head.includes("*") && !tail.includes("->")
