import { loginLimitSettings } from "../platform/limits/settings.ts"
import { databaseNumber, flag, hashTag, shardCount, whole } from "../platform/settings.ts"

export const settings = {
  db: databaseNumber(),
  tag: hashTag(),
  shards: shardCount(),
  drainEvery: whole(1, "With shards: seconds between two passes that make views part of the popularity.", {
    min: 1,
    max: 3600,
  }),
  drainReplicas: whole(
    0,
    "With shards: how many replicas must have a batch of views before it is added to the popularity. With 1, a failover counts no view twice.",
    { max: 5 },
  ),
  openLogin: flag(
    false,
    "Any name may log in without a password: for demonstrations, or behind another identity layer.",
  ),
  sessionLimit: whole(10_000_000, "How many sessions are kept; above that, the cleaner removes the oldest."),
  cleanBatch: whole(100, "How many sessions the cleaner removes in one step.", { min: 1, max: 1000 }),
  viewedPerSession: whole(25, "How many viewed items a session keeps.", { min: 1, max: 10_000 }),
  cartItems: whole(1000, "How many different items a cart holds.", { min: 1, max: 1_000_000 }),
  popularKept: whole(20_000, "How many items keep their popularity when it is rescaled.", { min: 1 }),
  cacheableRank: whole(10_000, "How many of the most popular items have their pages cached."),
  pageTtl: whole(300, "Seconds that a page is cached.", { min: 1, max: 31_536_000 }),
  pageVariants: whole(
    25,
    "How many addresses of one page with further parameters are cached, in the time for which a page is cached.",
  ),
  ...loginLimitSettings,
  rescaleEvery: whole(300, "Seconds between two halvings of the popularity.", { min: 1, max: 2_000_000 }),
  jobs: flag(true, "Whether the cleaner, the refresher, the rescaler and, with shards, the drain run automatically."),
} as const
