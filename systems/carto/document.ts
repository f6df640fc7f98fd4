/* What the page of the maps quotes of its document, and of the requirements that it became. */

import type { SystemDocument } from "../platform/pages/document.ts"

export const document: SystemDocument = {
  keys: {
    "tables.table": [
      "CDB-K1",
      "This metadata can be the privacy of the table, the owner identifier, the schema, and so on.",
    ],
    "queriesLog.log": ["CDB-K2", "`queries_log` database stores in a list each request performed to the API."],
    "threshold.total": ["CDB-K3", "the number of queries the user has perfomed in total"],
    "threshold.perDay": ["CDB-K4", "the number of queries the user has performed in a day"],
    "threshold.timePerDay": ["CDB-K5", "the accumulated time of the queries run by the user in a day"],
    "threshold.perMonth": ["CDB-K6", "the number of queries the user has perfomed this month"],
    "threshold.verbPerMonth": ["CDB-K7", "the number of select queries the user has perfomed this month"],
    "threshold.timePerMonth": ["CDB-K8", "the accumulated time of the queries run by the user in a month"],
    "credentials.oauthToken": [
      "CDB-K9",
      "`api_credentials` database stores a list of credentials which can be used to be authenticated via the API.",
    ],
    "users.user": [
      "CDB-K11",
      "Holds records of the username/subdomain to id and name of database so that we can easily go from their subdomain to their user database.",
    ],
    "users.mapViews": ["CDB-K12", "`global`: sorted set of map views, the key for this sorted set is `%Y%m%d`"],
    "users.mapViewsOf": ["CDB-K13", "`stat_tag:<visualization_id>`: sorted set of map views for a given visualization"],
  },
  routes: {
    "POST /users": ["CDB-3", "All fields of a user are set at once; a name that is taken is refused in the same step."],
    "GET /users/{username}": ["CDB-4", "… so that we can easily go from their subdomain to their user database."],
    "GET /lookup": ["CDB-4", "… so that we can easily go from their subdomain to their user database."],
    "POST /users/{username}/rename": [
      "CDB-6",
      "A rename moves the record and every key of map views, and never onto somebody else's.",
    ],
    "POST /users/{username}/dashboard": ["CDB-19", "`last_active_time`: last time the user loaded his dashboard"],
    "POST /users/{username}/mapviews": [
      "CDB-16",
      "A view counts for the day, and for its visualization by day and in total, in one step.",
    ],
    "GET /users/{username}/mapviews": ["CDB-17", "Days without views are zero; what is not a day is ignored."],
    "POST /queries": ["CDB-11", "Each of this keys stores a counter, which can be increased by `INCR` command."],
    "GET /usage/{user_id}": ["CDB-13", "What was never counted is zero; a month is the sum of its kinds."],
    "POST /jobs/api-calls/run": ["CDB-18", "`api_calls`: array of aggregated map views for the last 30 days"],
  },
}
