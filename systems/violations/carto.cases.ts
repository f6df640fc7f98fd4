/* What CartoDB's document forbids, by its databases. */

import { rows, type Violations } from "./violation.cases.ts"

export const carto: Violations = async () => {
  const views = (name: string) => `user:${name}:mapviews`
  const table = (name: string) => `rails:cartodb_user_100_db:${name}`
  const metadata = ["the_geom_type", "point", "infowindow", "id", "privacy", "1", "user_id"]
  const of = (id: number, rest: string) => `rails:users:${id}:queries:${rest}`
  const counted = (id: number, counts: Readonly<Record<string, number>>) =>
    `MSET ${Object.entries(counts)
      .map(([rest, count]) => `${of(id, rest)} ${count}`)
      .join(" ")}`
  const numbers = JSON.stringify(Array.from({ length: 29 }, () => 0))
  return [
    ...rows(
      [
        [
          "user_id is the identifier of the owner",
          `HSET ${table("lost")} ${metadata.join(" ")} 99`,
          `REFERS.ORPHAN ${table("lost")}`,
          "orphans",
        ],
        [
          "privacy is 0 or 1",
          `HSET ${table("p2")} ${metadata.join(" ")} 100 privacy 2`,
          `VALUE.UNDECODABLE ${table("p2")}`,
          "never",
        ],
        [
          "a geometry type",
          `HSET ${table("round")} ${metadata.join(" ")} 100 the_geom_type circle`,
          `VALUE.UNDECODABLE ${table("round")}`,
          "never",
        ],
        [
          "a table has these four values",
          `HSET ${table("bare")} the_geom_type point infowindow id user_id 100`,
          `VALUE.FIELD_MISSING ${table("bare")}`,
          "broken",
        ],
        [
          "a table is kept",
          [`HSET ${table("brief")} ${metadata.join(" ")} 100`, `PEXPIRE ${table("brief")} 100000`],
          `TTL.UNEXPECTED ${table("brief")}`,
          "always",
        ],
        [
          "columns separated by commas",
          `HSET ${table("gap")} ${metadata.join(" ")} 100 infowindow id,,name`,
          `TABLE.INFOWINDOW ${table("gap")}`,
          "never",
        ],
        ["tables are hashes", `SET ${table("flat")} {}`, `KEY.TYPE ${table("flat")}`, "broken"],
      ],
      0,
    ),
    ...rows(
      [
        [
          "IP, controller and action, separated by #",
          "LPUSH log-2011-10-03 85.223.1.123#queries",
          "VALUE.UNDECODABLE log-2011-10-03",
          "broken",
        ],
        [
          "a date with its zeros",
          "LPUSH log-2011-10-3 85.223.1.123#queries#run",
          "KEY.SEGMENT log-2011-10-3",
          "broken",
        ],
        ["an IP", "LPUSH log-2011-10-04 somewhere#queries#run", "VALUE.UNDECODABLE log-2011-10-04", "broken"],
        [
          "no octet is above 255",
          "LPUSH log-2011-10-17 85.256.1.123#queries#run",
          "VALUE.UNDECODABLE log-2011-10-17",
          "broken",
        ],
        ["a controller", "LPUSH log-2011-10-05 85.223.1.123##run", "VALUE.UNDECODABLE log-2011-10-05", "broken"],
        ["requests are a list", "SADD log-2011-10-06 85.223.1.123#queries#run", "KEY.TYPE log-2011-10-06", "broken"],
      ],
      1,
    ),
    ...rows(
      [
        ["a counter", `SET ${of(901, "2011-10-03")} -1`, `VALUE.UNDECODABLE ${of(901, "2011-10-03")}`, "broken"],
        [
          "accumulated time",
          `SET ${of(902, "2011-10:time")} -0.5`,
          `VALUE.UNDECODABLE ${of(902, "2011-10:time")}`,
          "broken",
        ],
        [
          "in total, at least as many as in a day",
          [`SET ${of(903, "total")} 4`, `SET ${of(903, "2011-10-03")} 5`],
          `COMPARE.BROKEN ${of(903, "2011-10-03")}`,
          "broken",
        ],
        [
          "in total, at least as many as in a month",
          counted(904, { total: 4, "2011-10": 5, "2011-10-03": 5, "2011-10:other": 5 }),
          `COMPARE.BROKEN ${of(904, "2011-10")}`,
          "broken",
        ],
        [
          "in a month, at least as many as of a kind",
          counted(905, { total: 9, "2011-10": 4, "2011-10-03": 4, "2011-10:select": 5 }),
          `COMPARE.BROKEN ${of(905, "2011-10:select")}`,
          "broken",
        ],
        ["and not fewer than of all kinds", [], `QUERIES.KINDS ${of(905, "2011-10")}`, "never"],
        [
          "one of five kinds",
          counted(906, { total: 1, "2011-10": 1, "2011-10-03": 1, "2011-10:other": 1, "2011-10:upsert": 1 }),
          `KEY.SEGMENT ${of(906, "2011-10:upsert")}`,
          "broken",
        ],
        [
          "counters can be increased",
          `SET ${of(910, "2011-10")} 12.5`,
          `VALUE.UNDECODABLE ${of(910, "2011-10")}`,
          "broken",
        ],
        ["the id of a user", `SET ${of(-5, "total")} 4`, `KEY.UNKNOWN ${of(-5, "total")}`, "unknown"],
        [
          "in a month, at least as many as in a day",
          counted(907, { total: 9, "2011-10": 4, "2011-10-03": 5, "2011-10:other": 4 }),
          `COMPARE.BROKEN ${of(907, "2011-10-03")}`,
          "broken",
        ],
        ["and not fewer than on all days", [], `QUERIES.DAYS ${of(907, "2011-10")}`, "never"],
        [
          "in a month, at least the time of a day",
          counted(908, { "2011-10:time": 1.5, "2011-10-03:time": 2.5 }),
          `COMPARE.BROKEN ${of(908, "2011-10-03:time")}`,
          "broken",
        ],
        ["and not less than that of all days", [], `QUERIES.TIME ${of(908, "2011-10:time")}`, "never"],
        [
          "each query is of a kind",
          counted(911, { total: 5, "2011-10": 5, "2011-10-03": 5, "2011-10:select": 2 }),
          `QUERIES.KINDS ${of(911, "2011-10")}`,
          "never",
        ],
        [
          "each query is of a day",
          counted(912, { total: 5, "2011-10": 5, "2011-10-03": 3, "2011-10:select": 5 }),
          `QUERIES.DAYS ${of(912, "2011-10")}`,
          "never",
        ],
        [
          "the time of a month is that of its days",
          counted(913, { "2011-10:time": 2.5, "2011-10-03:time": 1.5 }),
          `QUERIES.TIME ${of(913, "2011-10:time")}`,
          "never",
        ],
        ["a counter is kept", `SET ${of(909, "total")} 4 EX 1000`, `TTL.UNEXPECTED ${of(909, "total")}`, "always"],
      ],
      2,
    ),
    ...rows(
      [
        [
          "a token is a user's",
          "HSET rails:oauth_tokens:abcdef user_id 99 time 2024-01-01T00:00:00.000Z",
          "REFERS.ORPHAN rails:oauth_tokens:…",
          "orphans",
        ],
        [
          "the time which the token was created",
          "HSET rails:oauth_tokens:abcde0 user_id 100 time yesterday",
          "VALUE.UNDECODABLE rails:oauth_tokens:…",
          "never",
        ],
        [
          "the time of a token",
          "HSET rails:oauth_tokens:abcde1 user_id 100",
          "VALUE.FIELD_MISSING rails:oauth_tokens:…",
          "broken",
        ],
        [
          "whose token it is",
          "HSET rails:oauth_tokens:abcde2 user_id nora time 2024-01-01T00:00:00.000Z",
          "VALUE.UNDECODABLE rails:oauth_tokens:…",
          "never",
        ],
      ],
      3,
    ),
    ...rows([["nothing is kept in database 4", "SET tile:1 x", "KEY.UNKNOWN tile:1", "unknown"]], 4),
    ...rows(
      [
        [
          "the members of stat_tag are days",
          `ZADD ${views("nora")}:stat_tag:a1b2c3 1 yesterday`,
          `VALUE.UNDECODABLE ${views("nora")}:stat_tag:a1b2c3`,
          "broken",
        ],
        [
          "the members of global are days",
          `ZADD ${views("otto")}:global 1 total`,
          `VALUE.UNDECODABLE ${views("otto")}:global`,
          "broken",
        ],
        [
          "the score is a number of views",
          `ZADD ${views("paula")}:global -1 20111003`,
          `VALUE.UNDECODABLE ${views("paula")}:global`,
          "broken",
        ],
        [
          "map views are a user's",
          `ZADD ${views("ghost")}:global 1 20111003`,
          `REFERS.ORPHAN ${views("ghost")}:global`,
          "orphans",
        ],
        [
          "views of a visualization are a user's",
          `ZADD ${views("ghost")}:stat_tag:v1 1 20111003 1 total`,
          `REFERS.ORPHAN ${views("ghost")}:stat_tag:v1`,
          "orphans",
        ],
        [
          "map views of the last 30 days",
          `HSET rails:users:nora api_calls ${numbers}`,
          "VALUE.UNDECODABLE rails:users:nora",
          "never",
        ],
        [
          "the last time the user loaded his dashboard",
          "HSET rails:users:otto last_active_time today",
          "VALUE.UNDECODABLE rails:users:otto",
          "never",
        ],
        [
          "mapviews are keys of their own",
          "HSET rails:users:paula mapviews {}",
          "VALUE.FIELD_UNKNOWN rails:users:paula",
          "fields",
        ],
        [
          "a user has a database",
          "HSET rails:users:nobody id 950 map_key k",
          "VALUE.FIELD_MISSING rails:users:nobody",
          "broken",
        ],
        ["an API key", "HSET rails:users:quinn map_key ''", "USER.MAP_KEY rails:users:quinn", "never"],
        [
          "a subdomain",
          "HSET rails:users:Twin id 778 database_name cartodb_user_778_db map_key k",
          "KEY.SEGMENT rails:users:Twin",
          "broken",
        ],
        [
          "views of a visualization are views of its user",
          [`ZADD ${views("rita")}:global 3 20110101`, `ZADD ${views("rita")}:stat_tag:v8 9 20110101`],
          `COMPARE.BROKEN ${views("rita")}:stat_tag:v8`,
          "broken",
        ],
        [
          "its total is that of its days",
          [`ZADD ${views("rita")}:global 5 20110102`, `ZADD ${views("rita")}:stat_tag:v9 5 20110102 7 total`],
          `MAP_VIEWS.TOTAL ${views("rita")}:stat_tag:v9`,
          "never",
        ],
        [
          "aggregated map views",
          [
            `HSET rails:users:rita api_calls ${JSON.stringify(Array.from({ length: 30 }, () => 999_999))}`,
            `SET keywright:api-calls:rita ${Date.now() / 1000} EX 3000`,
          ],
          "USER.API_CALLS rails:users:rita",
          "never",
        ],
        [
          "the id of one user",
          ["twin-a", "twin-b"].map((name) => `HSET rails:users:${name} id 960 database_name cartodb_960 map_key k`),
          "USER.ID_TWICE rails:users:twin-a or USER.ID_TWICE rails:users:twin-b",
          "never",
        ],
      ],
      5,
    ),
  ]
}
