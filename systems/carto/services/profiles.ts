/* A user as others see them: never with the API key. */

import type { CartoContext } from "../context.ts"
import type { ApiCalls } from "./api-calls.ts"
import type { MapViews } from "./map-views.ts"
import { incomplete, noUser } from "./refusals.ts"
import type { UserRecord, UserRecords } from "./user-records.ts"

const SHOWN = ["id", "database_name", "api_calls", "last_active_time"] as const

export function profiles({ db }: CartoContext, records: UserRecords, mapViews: MapViews, apiCalls: ApiCalls) {
  return {
    async get(username: string) {
      const [found, global] = await Promise.all([records.find(username, SHOWN), mapViews.all(username)])
      if (found === undefined) throw noUser(username)
      const { id, database_name } = place(username, found)
      const { api_calls, last_active_time } = found
      return {
        id,
        username,
        database_name,
        api_calls: [...(api_calls ?? (await apiCalls.of(username)))],
        last_active_time: last_active_time?.toISOString() ?? null,
        mapviews: { global },
      }
    },

    /** From a subdomain to what a request for it needs (CDB-4): one round trip. */
    async lookUp(username: string) {
      const user = db.users.user({ username })
      const found = await user.getMany(["id", "database_name"])
      if (found.id === undefined && found.database_name === undefined && !(await user.exists())) throw noUser(username)
      const { id, database_name } = place(username, found)
      return { id, username, database_name }
    },
  }
}

/** What a lookup of a user needs (CDB-4). */
function place(username: string, { id, database_name }: Partial<UserRecord>): Pick<UserRecord, "id" | "database_name"> {
  if (id === undefined || database_name === undefined)
    throw incomplete(username, id === undefined ? "id" : "database_name")
  return { id, database_name }
}
