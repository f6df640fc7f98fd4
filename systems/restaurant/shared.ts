/* What several restaurants of one process share: the threads that hash passwords, turns, the notice
 * that a token was spent, counters, limits on attempts, and the secret that theirs are derived
 * from. Limits are counted with the keys of the restaurant at the plain routes, so that nobody
 * has more tries because there are more restaurants. */

import { createHmac, randomBytes } from "node:crypto"
import type { Metrics } from "keywright"
import type { ClientTurns } from "../platform/client-turns.ts"
import { turnsOfAll } from "../platform/few-at-once.ts"
import { hashing, type Hashing } from "../platform/hashing.ts"
import { successions, type Successions } from "../platform/http/arrival.ts"
import {
  type LogInAttempt,
  loginLimits,
  type LoginLimits,
  registrationLimits,
  type RegistrationLimits,
} from "../platform/limits/limits.ts"
import type { RestaurantContext } from "./context.ts"
import { firstAdmin } from "./services/seed.ts"

export type Counter = ReturnType<Metrics["counter"]>

export interface Shared {
  readonly hashes: Hashing
  /** Turns of clients, for work that grows with the data: anybody may have accounts at all restaurants. */
  readonly turns: ClientTurns
  readonly successions: Successions
  readonly retries: Counter
  readonly lowStock: Counter
  readonly logins: LoginLimits
  readonly registrations: RegistrationLimits
  /** The name under which wrong passwords of a user of a restaurant are counted. */
  accountOf(email: string, restaurant: string | undefined): Pick<LogInAttempt, "account" | "isShared">
  /** What tokens are signed with: another key for each restaurant, so a token of one is rejected as forged by the others. */
  secretOf(restaurant: string | undefined): Buffer
}

export function sharedBy({ db, settings, team, metrics, log }: RestaurantContext): Shared {
  const admin = settings.restaurants.length === 0 ? undefined : firstAdmin(settings).email
  if (settings.jwtSecret === undefined)
    log.warn("no restaurant.jwtSecret: a random one was generated, so all logins end with this process")
  const secret = settings.jwtSecret === undefined ? randomBytes(32) : Buffer.from(settings.jwtSecret)
  return {
    hashes: hashing(),
    turns: turnsOfAll(),
    successions: successions(settings.haste, team),
    retries: metrics.counter("restaurant_retries_total", "Carts and orders that had to start again."),
    lowStock: metrics.counter("restaurant_low_stock_total", "Sales that left few of a dish."),
    logins: loginLimits(db, settings),
    registrations: registrationLimits(db, settings),
    accountOf: (email, restaurant) =>
      restaurant === undefined || email === admin
        ? { account: email, isShared: email === admin }
        : { account: `${restaurant} ${email}`, isShared: false },
    secretOf: (restaurant) =>
      restaurant === undefined ? secret : createHmac("sha256", secret).update(`restaurant ${restaurant}`).digest(),
  }
}
