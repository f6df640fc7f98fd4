import { limitSettings } from "../platform/limits/settings.ts"
import { databaseNumber, flag, hashTag, shardCount, timeZone, whole } from "../platform/settings.ts"

export const settings = {
  db: databaseNumber(),
  tag: hashTag(),
  shards: shardCount(),
  categoryKeyBase: whole(1, "The suffix of category 0 in recent_posts_for_category{suffix}.", { max: 1 }),
  timeZone: timeZone("UTC", "The time zone in which a day begins and ends."),
  batch: whole(500, "How many records the nightly run applies in one step.", { min: 1, max: 500 }),
  ...limitSettings,
  jobs: flag(true, "Whether the nightly run starts automatically at 00:00."),
} as const
