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
    "On a cluster: how many replicas have each step of a rename before the next begins. With 1, a failover leaves a rename whole.",
    { max: 5 },
  ),
  queriesLog: flag(false, "Each request is logged in queries_log; it fills Redis, so it is off."),
  logRetentionDays: whole(30, "How many days of that log are kept, today included.", { min: 1, max: 36_500 }),
  apiCallsEvery: whole(10_800, "Seconds that api_calls of a user are good for.", { min: 1, max: 31_536_000 }),
  timeZone: timeZone("UTC", "Where a day begins."),
  newVisualizations: whole(5000, "Visualizations of a user whose views begin to be counted in a day.", { min: 1 }),
  mostVisualizations: whole(
    5000,
    "Visualizations that a user has at most when a view of another one is to be counted; 0 means no limit.",
  ),
  mostTables: whole(2000, "Tables that a database has at most when one of its users adds one.", {
    min: 1,
    max: 1_000_000,
  }),
  mostTableBytes: whole(
    67_108_864,
    "Bytes that the infowindows of a database have together at most when one of its users adds to them.",
    { min: 1 },
  ),
  ...limitSettings,
  jobs: flag(true, "Whether api_calls are brought up to date, and old logs removed, by themselves."),
} as const
