import { limitSettings, refreshSettings } from "../platform/limits/settings.ts"
import { MOST_SHARDS } from "./services/homes.ts"
import { databaseNumber, flag, whole } from "../platform/settings.ts"

const YEAR = 31_536_000

export const settings = {
  db: databaseNumber(),
  shards: whole(
    0,
    "Shards that users and channels are spread over, for a cluster; fixed for the life of the data. 0: keys have the document's names.",
    {
      max: MOST_SHARDS,
    },
  ),
  statusTtl: whole(600, "Seconds that a status lives after it was written.", { min: 1, max: YEAR }),
  cacheTtl: whole(10_800, "Seconds that channels and subscribers are cached.", { min: 1, max: YEAR }),
  initialRefreshTtl: whole(30, "Seconds in which a first refresh token has to be used.", { min: 1, max: YEAR }),
  accessTtl: whole(10_800, "Seconds that an access token is valid.", { min: 1, max: YEAR }),
  refreshTtl: whole(0, "Seconds that later refresh tokens are valid; 0: until they are used.", { max: YEAR }),
  sweepEvery: whole(5, "Seconds between two passes of the sweepers.", { min: 1, max: 86_400 }),
  eventsKept: whole(10_000, "Events that a service keeps for readers that reconnect to its stream.", {
    min: 1,
    max: 1_000_000,
  }),
  eventsTtl: whole(3600, "Seconds that they are kept after the latest one.", { min: 1, max: YEAR }),
  streams: whole(1500, "Streams of events that a process keeps open at once; its connections are limited too.", {
    max: 1_000_000,
  }),
  streamsPerUser: whole(10, "Streams of events that one user may have open in a process.", { min: 1, max: 10_000 }),
  mostListed: whole(5000, "Contacts, channels and bans that a user may add, of each kind, and bans of a channel.", {
    min: 1,
    max: 1_000_000,
  }),
  mostPending: whole(1000, "Unanswered requests to join and invitations that a user may have made.", {
    min: 1,
    max: 1_000_000,
  }),
  ...limitSettings,
  ...refreshSettings,
  jobs: flag(true, "Whether the sweepers of OnSub and TokensKeys run automatically."),
} as const
