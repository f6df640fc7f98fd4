/* CartoDB's metadata: six logical databases of hashes, dated counters and map views. */

import {
  compactDay, counter, database, day, delimited, flag, float, hash, id, int, isoInstant, json, keyspace, list, month,
  oneOf, optional, secret, text, zset,
} from "keywright"
import * as z from "zod"

const userId = id("user", int)
const username = id("username", { matching: /[a-z0-9][a-z0-9-]{0,62}/ })
const databaseName = id("database", { matching: /[a-z_][a-z0-9_]{0,62}/ })
const table = id("table", { matching: /([a-z_][a-z0-9_]{0,62}\.)?[a-z_][a-z0-9_]{0,62}/ })
const visualization = id("visualization")
const oauthToken = secret(id("oauthToken"))
const verb = oneOf("select", "insert", "update", "delete", "other")
const geometry = oneOf("point", "multipoint", "linestring", "multilinestring", "polygon", "multipolygon", "geometry", "empty")

export interface CartoDatabases {
  /** The numbers of tables_metadata, queries_log, threshold, api_credentials, node_details and users_metadata. */
  readonly dbs?: readonly number[]
}

export const cartoSchema = ({ dbs = [0, 1, 2, 3, 4, 5] }: CartoDatabases = {}) => {
  const [tables = 0, log = 1, threshold = 2, credentials = 3, node = 4, users = 5] = dbs
  return keyspace({
    tables: database(tables, "tables_metadata", {
      table: hash("rails:{database}:{table}", { the_geom_type: geometry, infowindow: text, privacy: flag, user_id: userId }, {
        doc: "What the tiler and the SQL API need to know of a table; privacy 0 is private, 1 public.",
      }),
    }, { doc: "Metadata of the users' tables." }),

    queriesLog: database(log, "queries_log", {
      log: list("log-{date}", delimited("#", { ip: text, controller: text, action: text }), { params: { date: day }, doc: "Requests of a day, newest first." }),
    }, { doc: "One entry per request.", deprecated: "deactivated: it filled Redis", when: "the setting queriesLog is on" }),

    threshold: database(threshold, "threshold", {
      total: counter("rails:users:{userId}:queries:total", { doc: "All queries of a user." }),
      perDay: counter("rails:users:{userId}:queries:{day}", { doc: "Queries of a day." }),
      timePerDay: counter("rails:users:{userId}:queries:{day}:time", { value: float, doc: "Seconds spent in a day." }),
      perMonth: counter("rails:users:{userId}:queries:{month}", { doc: "Queries of a month." }),
      verbPerMonth: counter("rails:users:{userId}:queries:{month}:{verb}", { doc: "Queries of a month by kind." }),
      timePerMonth: counter("rails:users:{userId}:queries:{month}:time", { value: float, doc: "Seconds spent in a month." }),
    }, { doc: "Queries by user, day, month and kind.", deprecated: "not reliable", params: { day, month, verb } }),

    credentials: database(credentials, "api_credentials", {
      oauthToken: hash("rails:oauth_tokens:{oauthToken}", { user_id: userId, time: isoInstant }, { doc: "Whose OAuth token this is, and since when." }),
    }, { doc: "OAuth tokens; API keys are the map_key of a user." }),

    nodeDetails: database(node, "node_details", {}, { doc: "Reserved for the nodejs tiler: nothing is kept here." }),

    users: database(users, "users_metadata", {
      user: hash("rails:users:{username}", {
        id: userId,
        database_name: databaseName,
        map_key: secret(text),
        api_calls: optional(json(z.array(z.int()).length(30))),
        last_active_time: optional(isoInstant),
      }, { doc: "From a subdomain to a user's id, database and API key; api_calls are the map views of 30 days, today first." }),
      mapViews: zset("user:{username}:mapviews:global", compactDay, { score: int, doc: "Map views by day." }),
      mapViewsOf: zset("user:{username}:mapviews:stat_tag:{visualization}", text, {
        score: int,
        doc: "Map views of one visualization by day (YYYYMMDD), and `total`.",
      }),
    }, { doc: "Lookup of users by subdomain, and their map views." }),
  }, {
    name: "carto",
    doc: "The six Redis databases of CartoDB.",
    ttl: "never",
    params: { userId, username, database: databaseName, table, visualization, oauthToken },
  })
}

export const carto = cartoSchema()
