/* The admin token: compared in constant time, and not to be guessed. Wrong ones are
 * counted by address; an address that sent too many is refused for a minute, even if its
 * next token is right. They are counted in this process: refused attempts leave nothing
 * behind in Redis, and a right token costs no round trip. */

import type { IncomingMessage } from "node:http"
import { performance } from "node:perf_hooks"
import { bearerOf, isSameSecret, type Auth } from "../http/auth.ts"
import type { AddressOf } from "../http/client-address.ts"
import { forbidden, unauthorized } from "../http/problem.ts"
import { tooMany } from "./limits.ts"

export interface AdminAuth extends Auth<void> {
  /** Where other tokens and keys are taken as well: 429 when too many from there were wrong. */
  listen(request: IncomingMessage): void
  /** Whether it has the admin token. */
  isAdmin(request: IncomingMessage): boolean
  /** What it had opened nothing: it may have been a guess. */
  refused(request: IncomingMessage): void
}

const MINUTE_MS = 60_000
const MOST_FAILURES = 300
const MOST_ADDRESSES = 10_000

/** Wrong tokens by address, of all systems of a process: several systems are not several chances. */
export type TokenFailures = Map<string, Failures>

interface Failures {
  count: number
  readonly until: number
}

/** `Authorization: Bearer <admin token>`; without one configured, nobody is admin. Without `addressOf`, nothing is limited. */
export function adminAuth(
  token: string | undefined,
  addressOf?: AddressOf,
  workers = 1,
  failures: TokenFailures = new Map(),
): AdminAuth {
  // Each worker counts for itself: together they allow no more.
  const most = Math.ceil(MOST_FAILURES / workers)
  const isRight = (given: string | undefined): boolean =>
    token !== undefined && given !== undefined && isSameSecret(given, token)

  const listen = (request: IncomingMessage): void => {
    if (addressOf === undefined || failures.size === 0) return
    const found = failures.get(addressOf(request))
    if (found !== undefined && found.count >= most && found.until > performance.now())
      throw tooMany("too many wrong tokens from this address", MINUTE_MS)
  }
  const refused = (request: IncomingMessage): void => {
    if (addressOf === undefined) return
    const [address, now] = [addressOf(request), performance.now()]
    const found = failures.get(address)
    if (found !== undefined && found.until > now) found.count += 1
    else {
      if (failures.size >= MOST_ADDRESSES) failures.clear()
      failures.set(address, { count: 1, until: now + MINUTE_MS })
    }
  }
  return {
    name: "admin",
    scheme: { type: "http", scheme: "bearer", description: "The token of --admin-token." },
    errors: [403, 429],
    check(request) {
      if (token === undefined) throw forbidden("no admin token is configured: start with --admin-token")
      const given = bearerOf(request)
      if (given === undefined) throw unauthorized("this needs the admin token")
      listen(request)
      if (isRight(given)) return
      refused(request)
      throw unauthorized("this is not the admin token")
    },
    listen,
    isAdmin: (request) => isRight(bearerOf(request)),
    refused,
  }
}
