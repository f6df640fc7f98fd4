/* CartoDB's metadata: six logical databases of hashes, dated counters and map views. */

import {
  anyOf,
  at,
  compactDay,
  compare,
  counter,
  database,
  day,
  delimited,
  flag,
  float,
  hash,
  int,
  isoInstant,
  json,
  keyspace,
  list,
  month,
  oneOf,
  optional,
  refersTo,
  secret,
  string,
  text,
  zset,
} from "keywright"
import * as z from "zod"
import { onlyIf } from "../platform/only-if.ts"
import { databaseName, geometry, ip, logPart, oauthToken, table, userId, username, verb, visualization } from "./ids.ts"
import type { CartoPlacement } from "./settings.ts"
import { stepsIn } from "./steps.ts"

export interface CartoLimits {
  /** Whether keys are for one server or for a cluster. */
  readonly placement?: CartoPlacement
  /** The numbers of tables_metadata, queries_log, threshold, api_credentials, node_details and users_metadata. */
  readonly dbs?: readonly number[]
  /** Seconds in which a user is renamed or deleted, step by step. */
  readonly settlesIn?: number
  /** Seconds that api_calls are good for. */
  readonly apiCallsEvery?: number
  /** On a cluster: how many replicas have each step of a rename before the next begins. */
  readonly moveReplicas?: number
}

const count = int({ min: 0 })
const seconds = float({ min: 0 })
/** The names of its databases, in the order of their numbers. */
export const DATABASES = [
  "tables_metadata",
  "queries_log",
  "threshold",
  "api_credentials",
  "node_details",
  "users_metadata",
] as const

/** Rules between databases: on a cluster these are in different slots. */
export const acceptSplit = ({ placement = "server" }: CartoLimits) =>
  placement === "server" ? [] : ["refersTo(tables.table, users.user)", "refersTo(credentials.oauthToken, users.user)"]

export const cartoSchema = ({
  dbs = [0, 1, 2, 3, 4, 5],
  placement = "server",
  apiCallsEvery = 10_800,
  settlesIn = 5,
  moveReplicas = 0,
}: CartoLimits = {}) => {
  const grace = `${settlesIn}s` as const
  const isCluster = placement !== "server"
  const as = placement === "cluster" ? "prefix" : "number"
  /** On a cluster, a hash tag in place: what belongs to one owner is in one slot. */
  const of = <P extends string>(owner: string, pattern: P): P =>
    (isCluster ? pattern.replace(`{${owner}}`, `{{${owner}}}`) : pattern) as P
  const [tables = 0, log = 1, threshold = 2, credentials = 3, node = 4, users = 5] = dbs
  return keyspace(
    {
      tables: database(
        tables,
        DATABASES[0],
        {
          table: hash(
            of("database", "rails:{database}:{table}"),
            { the_geom_type: geometry, infowindow: text, privacy: flag, user_id: userId },
            {
              doc: "What the tiler and the SQL API need to know about a table; privacy 0 is private, 1 public.",
            },
          ),
        },
        { as, doc: "Metadata of the users' tables." },
      ),

      queriesLog: database(
        log,
        DATABASES[1],
        {
          log: list(
            "log-{date}",
            delimited("#", { ip, controller: logPart("controller", "queries"), action: logPart("action", "run") }),
            {
              params: { date: day },
              doc: "Requests of a day, newest first.",
            },
          ),
        },
        {
          as,
          doc: "One entry per request.",
          deprecated: "deactivated: it filled Redis",
          when: "the setting queriesLog is on",
        },
      ),

      threshold: database(
        threshold,
        DATABASES[2],
        {
          total: counter(of("userId", "rails:users:{userId}:queries:total"), {
            value: count,
            doc: "All queries of a user.",
          }),
          perDay: counter(of("userId", "rails:users:{userId}:queries:{day}"), {
            value: count,
            doc: "Queries of a day.",
          }),
          timePerDay: counter(of("userId", "rails:users:{userId}:queries:{day}:time"), {
            value: seconds,
            doc: "Seconds spent in a day.",
          }),
          perMonth: counter(of("userId", "rails:users:{userId}:queries:{month}"), {
            value: count,
            doc: "Queries of a month.",
          }),
          verbPerMonth: counter(of("userId", "rails:users:{userId}:queries:{month}:{verb}"), {
            value: count,
            doc: "Queries of a month by kind.",
          }),
          timePerMonth: counter(of("userId", "rails:users:{userId}:queries:{month}:time"), {
            value: seconds,
            doc: "Seconds spent in a month.",
          }),
        },
        { as, doc: "Queries by user, day, month and kind.", deprecated: "not reliable", params: { day, month, verb } },
      ),

      credentials: database(
        credentials,
        DATABASES[3],
        {
          oauthToken: hash(
            "rails:oauth_tokens:{oauthToken}",
            { user_id: userId, time: isoInstant },
            { doc: "Whose OAuth token this is, and since when." },
          ),
        },
        { as, doc: "OAuth tokens; API keys are the map_key of a user." },
      ),

      nodeDetails: database(
        node,
        DATABASES[4],
        {},
        { as, doc: "Reserved for the nodejs tiler: nothing is kept here." },
      ),

      users: database(
        users,
        DATABASES[5],
        {
          user: hash(
            of("username", "rails:users:{username}"),
            {
              id: userId,
              database_name: databaseName,
              map_key: secret(text),
              api_calls: optional(json(z.array(z.int().nonnegative()).length(30))),
              last_active_time: optional(isoInstant),
            },
            {
              doc: "From a subdomain to a user's id, database and API key; api_calls are the map views of 30 days, today first.",
            },
          ),
          mapViews: zset(of("username", "user:{username}:mapviews:global"), compactDay, {
            score: count,
            doc: "Map views by day.",
          }),
          mapViewsOf: zset(
            of("username", "user:{username}:mapviews:stat_tag:{visualization}"),
            anyOf(compactDay, oneOf("total")),
            {
              score: count,
              doc: "Map views of one visualization by day (YYYYMMDD), and `total`.",
            },
          ),
          apiCallsAt: string(of("username", "keywright:api-calls:{username}"), float, {
            ttl: `${apiCallsEvery}s`,
            doc: "When a user's api_calls were last written, in unix seconds: they are rewritten only when they are old.",
          }),
          ...onlyIf(isCluster, {
            moving: string("keywright:moving:{{username}}", text, {
              doc: "The user with this name is being renamed: the id, and the new name. None of the user's keys change meanwhile.",
            }),
          }),
        },
        { as, doc: "Lookup of users by subdomain, and their map views." },
      ),
    },
    {
      name: "carto",
      doc: "The six Redis databases of CartoDB.",
      ttl: "never",
      params: { userId, username, database: databaseName, table, visualization, oauthToken },
      invariants: [
        refersTo(userId, at("tables.table", "user_id"), at("users.user", "id"), {
          grace,
          doc: "A table has an owner.",
        }),
        refersTo(userId, at("credentials.oauthToken", "user_id"), at("users.user", "id"), {
          grace,
          doc: "A token belongs to a user.",
        }),
        refersTo(username, "users.mapViews", "users.user", { grace, doc: "Views are counted for users." }),
        refersTo(username, "users.mapViewsOf", "users.user", { grace }),
        compare(at("users.mapViewsOf", "score"), "<=", at("users.mapViews", "score"), {
          grace,
          doc: "Views of a visualization are views of its user.",
        }),
        compare(at("threshold.perDay", "value"), "<=", at("threshold.perMonth", "value", { otherwise: 0 }), { grace }),
        compare(at("threshold.timePerDay", "value"), "<=", at("threshold.timePerMonth", "value", { otherwise: 0 }), {
          grace,
        }),
        compare(at("threshold.perMonth", "value"), "<=", at("threshold.total", "value", { otherwise: 0 }), { grace }),
        compare(at("threshold.verbPerMonth", "value"), "<=", at("threshold.perMonth", "value", { otherwise: 0 }), {
          grace,
        }),
      ],
      steps: stepsIn(isCluster, moveReplicas),
    },
  )
}

export const carto = cartoSchema()
