/* Who may do what in the demonstration, and where each system keeps its keys: the
 * systems share one engine, each in databases of its own. */

import type { Places } from "./damage.ts"

export interface DemoAccess {
  readonly adminToken: string
  /** The restaurant's first administrator. */
  readonly boss: { readonly email: string; readonly password: string }
}

/** Of the command line of `serve`. */
export const demoArgs = ({ adminToken, boss }: DemoAccess): string[] => [
  "--demo",
  ...["--admin-token", adminToken],
  ...["--set", "shop.openLogin=true"],
  ...["--set", `restaurant.adminEmail=${boss.email}`],
  ...["--set", `restaurant.adminPassword=${boss.password}`],
]

/** As the systems' own table has them; of several databases, the first. */
export const placesOfDemo: Places = { carto: 0, shop: 10, messaging: 11, recommender: 13, restaurant: 14 }
