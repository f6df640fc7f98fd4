/* CartoDB's metadata, put together: schema → services → jobs → http. */

import { document } from "./document.ts"
import { isUnavailable, type Job } from "keywright"
import { databaseSizes, prefixSizes, refuseCluster } from "../platform/databases.ts"
import { errorFields } from "../platform/log.ts"
import { warnIfVolatile } from "../platform/server-info.ts"
import { system } from "../platform/system.ts"
import { auditRules } from "./audit-rules.ts"
import type { CartoContext } from "./context.ts"
import { demo } from "./demo.ts"
import { callers } from "./http/callers.ts"
import { lookupRoutes } from "./http/lookup.ts"
import { mapViewRoutes } from "./http/map-views.ts"
import { oauthTokenRoutes } from "./http/oauth-tokens.ts"
import { operationRoutes } from "./http/operations.ts"
import { queryRoutes } from "./http/queries.ts"
import { tableRoutes } from "./http/tables.ts"
import { userRoutes } from "./http/users.ts"
import { refreshApiCalls } from "./jobs/refresh-api-calls.ts"
import { removeOldLogs } from "./jobs/remove-old-logs.ts"
import { acceptSplit, cartoSchema, DATABASES } from "./schema.ts"
import { services } from "./services.ts"
import { settings } from "./settings.ts"
import { createTables, type CartoTables } from "./tables.ts"

export const cartoSystem = system<CartoTables>()({
  name: "carto",
  doc: "CartoDB's metadata on six databases: users by subdomain, tables, credentials, counters of queries and map views.",
  databases: [0, 1, 2, 3, 4, 5],
  document,
  settings,
  schema: cartoSchema,
  onCluster: ({ placement }) =>
    placement === "server" ? false : placement === "cluster" ? "one database" : "databases",
  acceptSplit,
  rules: auditRules,
  tables: createTables,

  async start(context) {
    const { admin, forAdmin, db, metrics, redis, settings } = context
    const all = services(context)
    const { apiCalls, requestLog } = all
    const caller = callers(admin, all.access)
    const arePrefixes = settings.placement === "cluster"
    const sizes = () =>
      arePrefixes
        ? prefixSizes(
            db.$driver(),
            DATABASES.map((name, i) => [settings.dbs[i]!, name] as const),
          )
        : databaseSizes(db)

    const refresh = refreshApiCalls(context, apiCalls)
    const retention = removeOldLogs(context, requestLog)
    const jobs: Job<unknown, unknown>[] = settings.queriesLog ? [refresh, retention] : [refresh]

    // Where databases are prefixes, counting is a walk over all keys: so it is done on request only.
    if (!arePrefixes)
      metrics.gauge("carto_keys", "Keys, by database.", async () =>
        (await sizes()).map(({ name, keys }) => ({ labels: { database: name }, value: keys })),
      )
    await lookAtServer(context)

    return {
      routes: [
        ...lookupRoutes(all),
        ...userRoutes(all, caller, forAdmin),
        ...mapViewRoutes(all, caller),
        ...tableRoutes(all, caller),
        ...queryRoutes(all, caller, forAdmin),
        ...oauthTokenRoutes(all, forAdmin),
        ...operationRoutes(all, { refresh, retention }, sizes, forAdmin),
      ],
      jobs,
      about: async () => (redis.isUp && !arePrefixes ? { databases: await sizes() } : {}),
      ...(settings.queriesLog && {
        handled: async (request, route) => {
          if (redis.isUp) await requestLog.add(request, route)
        },
      }),
    }
  },

  demo,
})

const ON_CLUSTER = "--set carto.placement=cluster turns them into prefixes"

/**
 * A cluster is refused without the setting for it (CDB-1); a server that does not persist causes a warning. One that is unreachable is checked by
 * the first request.
 */
async function lookAtServer({ db, log, settings }: CartoContext): Promise<void> {
  const driver = settings.placement === "cluster" ? db.$driver() : db.$driver(settings.dbs[0])
  try {
    if (settings.placement === "server") await refuseCluster(driver, "carto", ON_CLUSTER)
    await warnIfVolatile(driver, "carto", log)
  } catch (error) {
    if (!isUnavailable(error)) throw error
    log.warn("could not find out whether this Redis is suitable", errorFields(error))
  }
}
