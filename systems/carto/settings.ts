import { limitSettings } from "../platform/limits/settings.ts"
import { databaseNumbers, flag, timeZone, whole } from "../platform/settings.ts"

export const settings = {
  dbs: databaseNumbers(
    [0, 1, 2, 3, 4, 5],
    "Where tables_metadata, queries_log, threshold, api_credentials, node_details and users_metadata are.",
  ),
  queriesLog: flag(false, "Each request is logged in queries_log; it fills Redis, so it is off."),
  logRetentionDays: whole(30, "How many days of that log are kept, today included.", { min: 1, max: 36_500 }),
  apiCallsEvery: whole(10_800, "Seconds that api_calls of a user are good for.", { min: 1, max: 31_536_000 }),
  timeZone: timeZone("UTC", "Where a day begins."),
  newVisualizations: whole(10_000, "Visualizations of a user whose views begin to be counted in a day.", { min: 1 }),
  ...limitSettings,
  jobs: flag(true, "Whether api_calls are brought up to date, and old logs removed, by themselves."),
} as const
