/* The shop, put together: schema → services → jobs → http. */

import { adaptive } from "../platform/adaptive-gauge.ts"
import { hashing } from "../platform/hashing.ts"
import { routeFor } from "../platform/http/route.ts"
import { checkShardCount } from "../platform/shard-count.ts"
import { system } from "../platform/system.ts"
import { document } from "./document.ts"
import { cartRoutes } from "./http/carts.ts"
import { RowId } from "./http/fields.ts"
import { drainRoutes, jobRoutes } from "./http/jobs.ts"
import { pageRoutes } from "./http/pages.ts"
import { rowRoutes } from "./http/rows.ts"
import { sessionAuth } from "./http/session-auth.ts"
import { popularRoutes } from "./http/popular.ts"
import { sessionRoutes } from "./http/sessions.ts"
import { cleanSessions } from "./jobs/clean-sessions.ts"
import { drainViews } from "./jobs/drain-views.ts"
import { refreshRows } from "./jobs/refresh-rows.ts"
import { rescalePopularity } from "./jobs/rescale-popularity.ts"
import { shopSchema } from "./schema.ts"
import { carts } from "./services/carts.ts"
import { customers } from "./services/customers.ts"
import { inventory } from "./services/inventory.ts"
import { pages } from "./services/pages.ts"
import { popularity } from "./services/popularity.ts"
import { sessions } from "./services/sessions.ts"
import { settings } from "./settings.ts"
import { createTables, type ShopTables } from "./tables.ts"

export const shopSystem = system<ShopTables>()({
  name: "shop",
  doc: "Sessions and carts by cookie, popularity of items, a scheduled cache of database rows and a page cache.",
  databases: [10],
  document,
  settings,
  schema: shopSchema,
  tables: createTables,

  async start(context) {
    await checkShardCount("shop", context, { noted: context.db.shardCount })
    const { forAdmin, metrics } = context
    const session = sessions(context)
    const caller = sessionAuth(session)
    const cart = carts(context)
    const popular = popularity(context)
    const customer = customers(context, hashing(), session)
    const stock = inventory(context)
    const page = pages(context, stock, (item) => RowId.safeParse(item).success)

    const clean = cleanSessions(context)
    const rows = refreshRows(context, stock)
    const rescale = rescalePopularity(context)
    const drain = context.settings.shards === 0 ? undefined : drainViews(context)

    metrics.gauge("shop_sessions", "Sessions.", () => session.count())
    metrics.gauge(
      "shop_carts",
      "Carts that are not empty.",
      adaptive(() => cart.count()),
    )
    metrics.gauge("shop_due_rows", "Rows that wait to be refreshed.", () => stock.countDue())

    return {
      routes: [
        ...sessionRoutes(session, customer, routeFor(caller), context),
        ...popularRoutes(popular, context),
        ...cartRoutes(cart, caller, context),
        ...rowRoutes(stock, customer, forAdmin),
        ...pageRoutes(page),
        ...jobRoutes({ clean, rows, rescale }, popular, forAdmin),
        ...(drain === undefined ? [] : drainRoutes(drain, forAdmin)),
      ],
      jobs: [clean, rows, rescale, ...(drain === undefined ? [] : [drain])],
    }
  },

  async demo(context) {
    const stock = inventory(context)
    await stock.put("273", { qty: 629, name: "GTab 7inch", description: "A tablet of seven inches." })
    await stock.put("237", { qty: 12, name: "Desk lamp", description: "Warm light." })
    await customers(context, hashing(), sessions(context)).put("user1", "demo")
  },
})
