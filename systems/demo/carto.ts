/* Makers of maps: their tables, the queries they run, and those who look at the maps. */

import type { Play } from "./people.ts"

export const MAKERS = ["nora", "otto", "paula", "quinn", "rita", "sven"]
const TABLES = [
  ["parks", "polygon"],
  ["stations", "point"],
  ["routes", "multilinestring"],
] as const
const QUERIES = [
  "select * from parks where area > 10",
  "insert into stations (name) values ('Atocha')",
  "update routes set length = length * 2",
  "delete from parks where name = ''",
]
const VISUALIZATIONS = ["a1b2c3", "d4e5f6", "0718aa"]

export const cartoMakers: Play = async ({ call, admin }, random) => {
  for (const [i, username] of MAKERS.entries()) {
    const [id, database] = [100 + i, `cartodb_user_${100 + i}_db`]
    await admin("POST /users", { id, username, database_name: database })
    for (const [table, the_geom_type] of random.some(TABLES, 2)) {
      const metadata = { the_geom_type, infowindow: "name", privacy: random.below(2), user_id: id }
      await admin(`PUT /tables/${database}/${table}`, metadata)
    }
    if (random.chance(60)) await admin("POST /oauth-tokens", { user_id: id })
  }
  const query = () =>
    admin("POST /queries", {
      user_id: 100 + random.below(MAKERS.length),
      sql: random.pick(QUERIES),
      time: (1 + random.below(400)) / 1000,
    })
  const view = () =>
    call(`POST /users/${random.pick(MAKERS)}/mapviews`, { visualization_id: random.pick(VISUALIZATIONS) })

  for (let i = 0; i < 60; i++) await query()
  for (let i = 0; i < 60; i++) await view()

  return {
    act: () => {
      if (random.chance(30)) return query()
      if (random.chance(30)) return call(`GET /lookup?host=${random.pick(MAKERS)}.example.com`)
      return view()
    },
  }
}
