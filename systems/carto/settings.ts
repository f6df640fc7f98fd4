import { limitSettings } from "../platform/limits/settings.ts"
import { choice, databaseNumbers, flag, timeZone, whole } from "../platform/settings.ts"

/** The first is the default. */
export const PLACEMENTS = ["server", "cluster", "cluster-databases"] as const
export type CartoPlacement = (typeof PLACEMENTS)[number]

export const settings = {
  dbs: databaseNumbers(
    [0, 1, 2, 3, 4, 5],
    "Where tables_metadata, queries_log, threshold, api_credentials, node_details and users_metadata are.",
  ),
  placement: choice(
    PLACEMENTS,
    "How keys are placed: server has the document's names; cluster has hash tags in them, and databases as prefixes (db5:), for a Redis Cluster; cluster-databases has hash tags, and the databases of a Valkey cluster.",
  ),
  moveReplicas: whole(
    0,
    "On a cluster: how many replicas must have each step of a rename before the next one begins. With 1, a failover leaves a rename whole.",
    { max: 5 },
  ),
  queriesLog: flag(false, "Whether each request is logged in queries_log. Off by default, because it fills Redis."),
  logRetentionDays: whole(30, "How many days of that log are kept, today included.", { min: 1, max: 36_500 }),
  apiCallsEvery: whole(10_800, "Seconds after which a user's api_calls are old.", { min: 1, max: 31_536_000 }),
  timeZone: timeZone("UTC", "The time zone in which a day begins."),
  newVisualizations: whole(1000, "New visualizations of a user whose views may be counted in a day.", { min: 1 }),
  mostVisualizations: whole(
    5000,
    "Visualizations of a user at which views of new ones are no longer counted; 0 means no limit.",
  ),
  mostTables: whole(2000, "Tables in a database at which its users can add no more.", {
    min: 1,
    max: 1_000_000,
  }),
  mostTableBytes: whole(67_108_864, "Total bytes of infowindows in a database at which its users can add no more.", {
    min: 1,
  }),
  ...limitSettings,
  jobs: flag(true, "Whether api_calls are refreshed, and old logs removed, automatically."),
} as const
