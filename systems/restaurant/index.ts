/* The restaurant as a system: one restaurant at the plain routes, and others, each with data
 * of its own under a tag of its own, at /r/<name>/… or at host names of their own. */

import { withTag } from "keywright"
import { routesByHost, routesByPath } from "../platform/http/tenant-routes.ts"
import { system } from "../platform/system.ts"
import { UsageError } from "../platform/usage-error.ts"
import { auditRules } from "./audit-rules.ts"
import type { RestaurantContext } from "./context.ts"
import { document } from "./document.ts"
import { oneRestaurant, type OneRestaurant } from "./one-restaurant.ts"
import { restaurantSchema } from "./schema.ts"
import type { Payments } from "./services/payments.ts"
import { settings } from "./settings.ts"
import { sharedBy } from "./shared.ts"

const noExport = [
  400,
  "invalid_export",
  "this is not an export, or it was changed since it was written: nothing was imported",
] as const

export const restaurantSystem = system()({
  name: "restaurant",
  doc: "Users, roles, a menu, carts, orders and payments through VNPay; Redis is the only database.",
  databases: [14],
  document,
  settings,
  schema: restaurantSchema,
  rules: () => auditRules,
  refusals: {
    "ENTITY.NOT_FOUND": [404, "not_found", "there is no such record"],
    "INDEX.UNIQUE_TAKEN": [409, "already_taken", "this e-mail or name is taken"],
    "IMPORT.EXISTS": [409, "keys_exist", "some keys exist already with other values: nothing was imported"],
    "IMPORT.REFUSED": noExport,
    "IMPORT.DAMAGED": noExport,
    "IMPORT.CUT": noExport,
    "IMPORT.FOREIGN": [400, "foreign_export", "this is an export of something else: nothing was imported"],
    "IMPORT.MISMATCH": noExport,
    "IMPORT.LEFT_OUT": noExport,
    "IMPORT.MODULE": noExport,
    "IMPORT.UNREADABLE": noExport,
  },

  async start(context) {
    const { restaurants, domain, tag } = context.settings
    if (tag !== undefined && restaurants.includes(tag))
      throw new UsageError(`restaurant.tag and one of restaurant.restaurants are both "${tag}": they would share keys`)
    if (domain !== undefined && restaurants.length === 0)
      throw new UsageError("restaurant.domain has host names for restaurants, and restaurant.restaurants names none")
    const shared = sharedBy(context)
    const others = await openOthers(context, (own, name) => oneRestaurant(own, shared, name))
    const among = new Map<string, Payments>([...others].map(([name, { payments }]) => [name, payments]))
    const main = await oneRestaurant(context, shared, undefined, among)
    const tenants = new Map([...others].map(([name, { routes }]) => [name, routes]))
    const plain = domain === undefined ? main.routes : routesByHost(domain, "restaurant", tenants, main.routes)
    const all = [main, ...others.values()]
    return {
      routes: [...plain, ...routesByPath("/r", "restaurant", tenants)],
      jobs: all.flatMap(({ jobs }) => jobs),
      stop: async () => void (await Promise.all(all.map((one) => one.stop()))),
      about: main.about,
      // Which restaurants there are is nobody else's business.
      ...(others.size > 0 && {
        inside: () => ({ restaurants: Object.fromEntries([...others].map(([name, one]) => [name, one.about()])) }),
      }),
    }
  },
})

type Start = (context: RestaurantContext, name: string) => Promise<OneRestaurant>

/** Each has a client of its own: it knows no keys but those under its tag. */
async function openOthers(context: RestaurantContext, start: Start): Promise<Map<string, OneRestaurant>> {
  const { settings, open } = context
  const schema = restaurantSchema(settings)
  const started = new Map<string, OneRestaurant>()
  for (const name of settings.restaurants) {
    const db = await open(withTag(schema, name))
    started.set(name, await start({ ...context, db, settings: { ...settings, tag: name } }, name))
  }
  return started
}
