/* `--demo`: two users with tables, a day's queries and a month of map views; the same
 * each time, and nothing twice: if the first user exists, so does the rest. */

import type { CartoContext } from "./context.ts"
import { services } from "./services.ts"
import { isTaken } from "./services/refusals.ts"

const QUERIES = [
  ["select * from places where name like '%;%'", 0.25],
  ["insert into places (name) values ('Madrid'); update places set visits = visits + 1", 0.5],
  ["/* clean up */ delete from visits; vacuum", 1.5],
] as const
const DAYS = 30

export async function demo(context: CartoContext): Promise<void> {
  const { calendar, queries, tables, users } = services(context)
  const { db } = context
  try {
    await users.create({ id: 1, username: "dev", database_name: "cartodb_dev_user_1_db", map_key: "d".repeat(40) })
    await users.create({ id: 2, username: "ana", database_name: "cartodb_dev_user_2_db", map_key: "a".repeat(40) })
  } catch (error) {
    if (isTaken(error)) return
    throw error
  }
  const places = { the_geom_type: "point", infowindow: "id, name, description", privacy: true, user_id: 1 } as const
  await tables.put({ database: "cartodb_dev_user_1_db", table: "places" }, places)
  await tables.put(
    { database: "cartodb_dev_user_1_db", table: "visits" },
    { ...places, infowindow: "id", privacy: false },
  )
  await tables.put(
    { database: "cartodb_dev_user_2_db", table: "rivers" },
    { ...places, the_geom_type: "multilinestring", user_id: 2 },
  )
  for (const [sql, seconds] of QUERIES) await queries.record(1, sql, seconds)
  const views = calendar.lastDays(DAYS).map((day, i) => [day, 3 + ((i * 7) % 11)] as const)
  await db.users.mapViews({ username: "dev" }).replace(views)
}
