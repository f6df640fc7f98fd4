/* The services, each made from those it needs. */

import type { CartoContext } from "./context.ts"
import { access } from "./services/access.ts"
import { apiCalls } from "./services/api-calls.ts"
import { calendar } from "./services/calendar.ts"
import { mapViews } from "./services/map-views.ts"
import { oauthTokens } from "./services/oauth-tokens.ts"
import { owners } from "./services/owners.ts"
import { profiles } from "./services/profiles.ts"
import { queries } from "./services/queries.ts"
import { removal } from "./services/removal.ts"
import { renaming } from "./services/renaming.ts"
import { requestLog } from "./services/request-log.ts"
import { restore } from "./services/restore.ts"
import { tables } from "./services/tables.ts"
import { userRecords } from "./services/user-records.ts"
import { users } from "./services/users.ts"

export type Services = ReturnType<typeof services>

export function services(context: CartoContext) {
  const days = calendar(context)
  const records = userRecords(context)
  const all = owners(context)
  const tokens = oauthTokens(context)
  const views = mapViews(context, days)
  const calls = apiCalls(context, days, views)
  const names = renaming(context, records, views)
  return {
    access: access(context, all, tokens),
    apiCalls: calls,
    calendar: days,
    mapViews: {
      ...views,
      count: (username: string, visualization?: string) =>
        names.unlessMoving(username, () => views.count(username, visualization)),
    },
    profiles: profiles(context, records, views, calls),
    queries: queries(context, days),
    removal: removal(context, records, all, names, views),
    renaming: names,
    requestLog: requestLog(context, days),
    restore: restore(context, names),
    tables: tables(context),
    tokens,
    users: users(context, records, names),
  }
}
