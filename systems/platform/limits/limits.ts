/* How often somebody may try. Failures and bursts are counted, honest use is not: a right
 * password leaves no trace. The first to wait is an account at one address, so that the
 * owner still enters from elsewhere while somebody guesses. Guessing from many addresses
 * leaves each of them one try, which is enough for somebody who knows the password. */

import { createHash } from "node:crypto"
import { keyspace, type ClientOf } from "keywright"
import { Problem } from "../http/problem.ts"
import { limitParams, loginLimitKeys, loginLimitSteps, registrationLimitKeys, registrationLimitSteps } from "./keys.ts"

export const FAILURES_MS = 300_000
const MINUTE_MS = 60_000
/**
 * The total failures of an account, as a multiple of what one address is allowed, before each address has only
 * one try.
 */
const ADDRESSES = 5

const options = { name: "limits", params: limitParams } as const
const login = () => keyspace(loginLimitKeys, { ...options, steps: loginLimitSteps })
const registration = () => keyspace(registrationLimitKeys, { ...options, steps: registrationLimitSteps })
type LoginDb = Pick<ClientOf<ReturnType<typeof login>>, "failures" | "$steps" | "$batch">
type RegistrationDb = Pick<ClientOf<ReturnType<typeof registration>>, "registrations" | "$steps">

export interface LogInAttempt {
  /** As it was typed: it need not exist. */
  readonly account: string
  readonly address: string
  /** Several tenants have it: a right password at one of them, which may be another, forgets nothing. */
  readonly isShared?: boolean
}

export interface LoginLimitSettings {
  readonly limits: boolean
  readonly failuresPerAccount: number
  readonly failuresPerAddress: number
}

/** Refuses attempts at passwords after too many that were wrong. */
export function loginLimits(db: LoginDb, { limits, failuresPerAccount, failuresPerAddress }: LoginLimitSettings) {
  const before = async (params: { account: string; address: string }): Promise<number> => {
    const [here, everywhere, ofAddress] = await db.$batch((db) => [
      db.failures.ofAccountAt(params).get(),
      db.failures.ofAccount({ account: params.account }).get(),
      db.failures.at({ address: params.address }).get(),
    ])
    const most = everywhere >= ADDRESSES * failuresPerAccount ? 1 : failuresPerAccount
    if (here >= most) throw tooMany("too many wrong passwords for this account", FAILURES_MS)
    if (ofAddress >= failuresPerAddress) throw tooMany("too many wrong passwords from this address", FAILURES_MS)
    return here
  }
  return {
    /** What `attempt` finds; undefined is a failure, and is counted. 429 when there were too many. */
    async take<T>(
      { account, address, isShared }: LogInAttempt,
      attempt: () => Promise<T | undefined>,
    ): Promise<T | undefined> {
      if (!limits) return attempt()
      const params = { account: digestOf(account), address: digestOf(address) }
      const failures = await before(params)
      const found = await attempt()
      if (found === undefined)
        await db.$batch(({ $steps }) => [
          $steps.countFailure({ ...params, ms: FAILURES_MS }),
          $steps.countFailureAt({ address: params.address, ms: FAILURES_MS }),
        ])
      else if (failures > 0 && isShared !== true) await db.failures.ofAccountAt(params).delete()
      return found
    },
  }
}

/** Refuses new accounts from an address that makes them by the hundred. */
export function registrationLimits(
  db: RegistrationDb,
  { limits, registrationsPerMinute }: { readonly limits: boolean; readonly registrationsPerMinute: number },
) {
  return {
    async count(address: string): Promise<void> {
      if (!limits) return
      const [made = 0] = await db.$steps.countRegistration({ address: digestOf(address), ms: MINUTE_MS })
      if (made > registrationsPerMinute) throw tooMany("too many new accounts from this address", MINUTE_MS)
    },
  }
}

/** 429 */
export const tooMany = (what: string, afterMs: number) =>
  new Problem(429, "too_many_attempts", `${what}: try again later`, {
    headers: { "Retry-After": String(Math.ceil(afterMs / 1000)) },
  })

/** Always of the same length, and safe in a key. */
export const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 22)

export type LoginLimits = ReturnType<typeof loginLimits>
export type RegistrationLimits = ReturnType<typeof registrationLimits>
