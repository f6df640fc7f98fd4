/* Keys that the document does not have: they begin with keywright:, and expire. (The record of
 * payments, in schema.ts, goes with its order.) */

import { id, string, text } from "keywright"
import {
  limitParams,
  loginLimitKeys,
  loginLimitSteps,
  registrationLimitKeys,
  registrationLimitSteps,
} from "../platform/limits/keys.ts"

const session = id("session", { matching: /[0-9a-f-]{36}/, example: "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed" })

/** An access token lives for an hour; a minute more, because clocks differ. */
export const ownKeys = {
  endedSession: string("keywright:restaurant:ended:{session}", text, {
    ttl: "3660s",
    doc: "A session that was logged out, or whose refresh token came back: its access tokens are no longer valid.",
  }),
  ...loginLimitKeys,
  ...registrationLimitKeys,
}
export const ownParams = { session, ...limitParams }
export const ownSteps = { ...loginLimitSteps, ...registrationLimitSteps }
