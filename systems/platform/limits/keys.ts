/* What limits count, in Redis, so that all processes of a system count together: declared
 * like any other keys, and part of each schema that takes attempts from strangers. What
 * concerns an account is in one slot of a cluster. Names and addresses are digests: a key is of one length whatever somebody types as a name, and
 * nobody reads from it who tried to log in. */

import { arrayOf, counter, id, int, scope, step } from "keywright"
import { luaBeside } from "../lua.ts"

const lua = luaBeside(import.meta.url)
const digest = { matching: /[\w-]{22}/, example: "X03MO1qnZdYdgyfeuILPmQ" }

/** Parameters of the keys below. */
export const limitParams = { account: id("account", digest), address: id("address", digest) }

const FAILURES = "300s"

/** Logins with a password. */
export const loginLimitKeys = {
  failures: scope("keywright:limits:failures:", {
    ofAccountAt: counter("account:{{account}}:at:{address}", {
      ttl: FAILURES,
      doc: "Wrong passwords for an account from an address in five minutes; the right password resets the count.",
    }),
    ofAccount: counter("account:{{account}}", {
      ttl: FAILURES,
      doc: "Wrong passwords for an account, from any address.",
    }),
    at: counter("address:{address}", { ttl: FAILURES, doc: "Wrong passwords from an address, for any account." }),
  }),
}

export const registrationLimitKeys = {
  registrations: counter("keywright:limits:registrations:{address}", {
    ttl: "60s",
    doc: "New accounts from an address in a minute.",
  }),
}

/** The steps that count. */
export const counting = { script: lua("count"), args: { ms: int }, returns: arrayOf(int) } as const

export const loginLimitSteps = {
  countFailure: step({
    ...counting,
    keys: ["failures.ofAccountAt", "failures.ofAccount"],
    doc: "Counts a wrong password for an account.",
  }),
  countFailureAt: step({ ...counting, keys: ["failures.at"], doc: "Counts a wrong password from an address." }),
}
export const registrationLimitSteps = {
  countRegistration: step({ ...counting, keys: ["registrations"], doc: "Counts a new account." }),
}
