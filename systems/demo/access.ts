/* Who may do what in the demonstration, and where each system keeps its keys: the systems
 * share one server, each in its own databases. */

import type { Places } from "./damage.ts"
import { MAKERS } from "./carto.ts"
import { TEAMS } from "./messaging.ts"
import { NAMES } from "./people.ts"
import { VISITOR } from "./restaurant.ts"

export interface DemoAccess {
  readonly adminToken: string
  /** The restaurant's first administrator. */
  readonly boss: { readonly email: string; readonly password: string }
  /** What VNPay and the restaurant sign with. */
  readonly vnpaySecret: string
}

/** As the systems' own table has them; of several databases, the first. */
export const placesOfDemo: Places = { carto: 0, shop: 10, messaging: 11, recommender: 13, restaurant: 14 }

/** The arguments for the command line of `serve`. */
export function demoArgs(
  names: readonly string[],
  { adminToken, boss, vnpaySecret }: DemoAccess,
  url: string,
): string[] {
  const settings: Readonly<Record<string, readonly string[]>> = {
    shop: ["shop.openLogin=true"],
    restaurant: [
      `restaurant.adminEmail=${boss.email}`,
      `restaurant.adminPassword=${boss.password}`,
      `restaurant.vnpay.tmnCode=${TMN_CODE}`,
      `restaurant.vnpay.hashSecret=${vnpaySecret}`,
      `restaurant.vnpay.payUrl=${url}${SANDBOX}`,
      `restaurant.vnpay.returnUrl=${url}${prefixOf(names, "restaurant")}/payment/vnpay/callback`,
      `restaurant.frontendUrl=${url}${prefixOf(names, "restaurant") || "/"}`,
    ],
  }
  const places = names.filter((name) => name !== "carto").map((name) => `${name}.db=${placesOfDemo[name]}`)
  const set = [...names.flatMap((name) => settings[name] ?? []), ...places]
  return ["--demo", "--allow-host", "localhost", "--admin-token", adminToken, ...set.flatMap((one) => ["--set", one])]
}

export const TMN_CODE = "KEYWRGHT"
export const SANDBOX = "/-/vnpay"

/** The prefix of a system's paths. */
export const prefixOf = (names: readonly string[], name: string): string => (names.length === 1 ? "" : `/${name}`)

/** What the pages are given: in the demonstration, visitors may act as anybody. */
export const pageAccess = ({ adminToken, boss }: DemoAccess) => ({
  adminToken,
  boss,
  people: {
    shop: NAMES,
    restaurant: [VISITOR, ...NAMES.slice(0, 8)],
    messaging: NAMES.slice(0, 10),
    carto: ["dev", "ana", ...MAKERS],
    recommender: Array.from({ length: 12 }, (_, i) => String(i + 1)),
  },
  team: TEAMS[0],
})
