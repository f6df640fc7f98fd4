/* The recommender: a pool of recent posts by category, and what users did with them. */

import {
  arrayOf,
  at,
  compare,
  csv,
  day,
  counter,
  fence,
  fencedStep,
  flag,
  hash,
  id,
  int,
  keyspace,
  looseFlag,
  many,
  map,
  oneOf,
  optional,
  packedInts,
  refersTo,
  set,
  sharded,
  step,
  string,
  text,
  trimmed,
  withTag,
  zset,
} from "keywright"
import { luaBeside } from "../platform/lua.ts"
import { onlyIf } from "../platform/only-if.ts"
import { shardCountNote } from "../platform/shard-count.ts"

const positive = { matching: /[1-9]\d*/ }
const user = id("user", int, positive)
const post = id("post", int, positive)
const challenge = id("challenge", int, positive)
const TABLES = ["clg", "mmbr", "post", "reaction", "tracking"] as const
const table = oneOf(...TABLES)
const count = int({ min: 0 })
const cursor = optional(count)
/** As many categories, and days in the pool, as there can ever be (REC-21). */
export const MOST_CATEGORIES = 64
export const MOST_DAYS = 3650
/** The default until somebody sets it (REC-C8). */
export const DEFAULTS = { max_post_age: 7, distinct_category: 5 } as const
const info = csv({
  category: trimmed(count),
  isPublic: trimmed(looseFlag),
  duration: trimmed(int({ min: 1, max: MOST_DAYS })),
  finishedDate: trimmed(day),
})

const lua = luaBeside(import.meta.url)
/** What each batch of a run begins with: the run's date, and the cursor before and after. */
const batch = { date: day, from: int, to: int }

export interface RecommenderLimits {
  /** The suffix of the key of category 0 (REC-C2). */
  readonly categoryKeyBase?: number
  /** What is kept for single users is spread over this many shards, for a cluster. 0: one server. */
  readonly shards?: number
  /** The hash tag of everything else, where there are shards. */
  readonly tag?: string | undefined
}

/** Without shards there is one user_contribution: it does not matter who is named. */
export const ANYBODY = { user: 1 } as const

const slots = at("settings", "max_post_age", { otherwise: DEFAULTS.max_post_age })
const categories = at("settings", "distinct_category", { otherwise: DEFAULTS.distinct_category })

/** Rules between the pool and what is kept for users: on a cluster these are in different slots. */
export const acceptSplit = ({ shards = 0 }: RecommenderLimits) =>
  shards === 0 ? [] : ["compare(user.contributions, settings)", "refersTo(user.preferences, challenges)"]

/** The hash tag of the pool, where there are shards. */
const POOL = "pool"
const shardCount = { shardCount: string("keywright:recommender:shards", int, shardCountNote) }
/** Without shards the schema does not have it, and a start looks there all the same: there may be data with shards. */
export const shardCountSchema = ({ tag = POOL }: RecommenderLimits) => withTag(keyspace(shardCount), tag)

export const recommenderSchema = (limits: RecommenderLimits = {}) => {
  const { shards = 0, tag = POOL } = limits
  const made = schemaOf(limits)
  return shards === 0 ? made : withTag(made, tag)
}

const schemaOf = ({ categoryKeyBase: base = 1, shards = 0 }: RecommenderLimits) =>
  keyspace(
    {
      settings: hash(
        "rs_param",
        {
          max_post_age: optional(int({ min: 1, max: MOST_DAYS })),
          distinct_category: optional(int({ min: 1, max: MOST_CATEGORIES })),
          day_index: optional(count),
          last_run_date: optional(day),
          cursor_clg: cursor,
          cursor_mmbr: cursor,
          cursor_post: cursor,
          cursor_reaction: cursor,
          cursor_tracking: cursor,
        },
        {
          doc: "Days that a post stays in the pool (default: 7), number of categories (default: 5), today's slot in the ring of days, and how far the nightly run has read.",
        },
      ),
      tableSizes: map("db_len", table, count, { doc: "Records per table, as of last night." }),
      recentPosts: zset("recent_posts_for_category{suffix}", post, {
        params: { suffix: int({ min: 0, max: MOST_CATEGORIES }) },
        score: count,
        doc: "Recent posts of a category: the score is the day_index of the run that added them. The suffix is the category's code + 1.",
      }),
      challenges: map("on_clg_info", challenge, info, { doc: "Ongoing challenges." }),
      challengeOfPost: map("post_clg_pair", post, challenge, { doc: "The challenge of each post in the pool." }),
      user: sharded(shards, "user", {
        contributions: map("user_contribution", user, many(trimmed(count)), {
          doc: "Days that a user spent on each category, by code.",
        }),
        likedPosts: set("{user}_liked_posts", post, { doc: "Posts that a user interacted with." }),
        preferences: zset("{user}_clgs_preference", challenge, {
          score: int({ min: 1 }),
          doc: "How often a user reacted to each challenge.",
        }),
        ...onlyIf(shards > 0, {
          fence: fence("keywright:recommender:fence", {
            doc: "How far posts and reactions were applied in this shard, and the term of the latest run.",
          }),
        }),
      }),

      deletedPosts: zset("keywright:recommender:deleted-posts", post, {
        score: int,
        doc: "Posts that were deleted before a run has read them, by id: the run does not add them, and empties this key.",
      }),
      rebuilding: string("keywright:recommender:rebuild", text, {
        doc: "A rebuild has begun and has not removed everything yet.",
      }),
      ...onlyIf(shards > 0, shardCount),
      ...onlyIf(shards > 0, {
        term: counter("keywright:recommender:term", {
          doc: "Counts the runs: shards apply only what the latest one sends.",
        }),
      }),
    },
    {
      name: "recommender",
      doc: "A nightly mirror of five tables, from which posts are recommended.",
      ttl: "never",
      params: { user },
      invariants: [
        compare(at("settings", "day_index"), "<", slots, { doc: "Slots are numbered from 0." }),
        compare(at("recentPosts", "score"), "<", slots, { doc: "A post is in a slot of the ring." }),
        compare(at("recentPosts", "{suffix}"), ">=", base),
        compare(at("recentPosts", "{suffix}"), base === 0 ? "<" : "<=", categories, {
          doc: "One pool for each category.",
        }),
        compare(at("challenges", "value.category"), "<", categories, { doc: "Categories are numbered from 0." }),
        compare(at("user.contributions", "value.length"), "=", categories, { doc: "One number for each category." }),
        compare(at("tableSizes", "size"), "=", TABLES.length, { doc: "All five tables." }),
        refersTo(post, "recentPosts", "challengeOfPost", { doc: "A post of the pool has a challenge." }),
        refersTo(post, "challengeOfPost", "recentPosts", { doc: "Only posts of the pool have a challenge here." }),
        refersTo(user, "user.preferences", "user.likedPosts", { doc: "A reaction to a post is an interaction." }),
        refersTo(challenge, "user.preferences", "challenges", { doc: "Finished challenges are not preferences." }),
      ],
      steps: {
        clearSlot: step({
          script: lua("clear-slot"),
          keys: ["settings", "recentPosts", "challengeOfPost"],
          args: { last: text, min: int, max: int, limit: int },
          returns: int,
          doc: "Takes posts of some slots out of the pool, a limited number at a time.",
        }),
        beginRun: step({
          script: lua("begin-run"),
          keys: ["settings"],
          args: { last: text, date: day, index: int, maxPostAge: int, categories: int },
          doc: "Advances the ring of days to a date, once.",
        }),
        moveCursor: step({
          script: lua("move-cursor"),
          keys: ["settings"],
          args: { ...batch, table },
          doc: "A batch of records that are only counted.",
        }),
        addChallenges: step({
          script: lua("add-challenges"),
          keys: ["settings", "challenges"],
          args: { ...batch, ids: arrayOf(challenge), infos: arrayOf(info) },
          doc: "A batch of new challenges.",
        }),
        dropPost: step({
          script: lua("drop-post"),
          keys: ["settings", "challengeOfPost", "deletedPosts", "recentPosts[]"],
          args: { id: post },
          doc: "Takes a post out of the pool, also one that a run is about to add.",
        }),
        setParams: step({
          script: lua("set-params"),
          keys: ["settings"],
          args: { maxPostAge: int, categories: int },
          returns: flag,
          doc: "Changes the parameters, as long as no run has used them.",
        }),
        beginRebuild: step({
          script: lua("begin-rebuild"),
          keys: [
            "settings",
            "rebuilding",
            "tableSizes",
            "challenges",
            "challengeOfPost",
            ...(shards === 0 ? (["user.contributions"] as const) : []),
            "recentPosts[]",
          ],
          args: { maxPostAge: int, categories: int },
          doc: "Forgets everything that does not belong to a single user.",
        }),
        ...onlyIf(shards === 0, {
          addPosts: step({
            script: lua.with(["add-to-pool", "add-days"], "add-posts"),
            keys: ["settings", "challengeOfPost", "deletedPosts", "user.contributions", "recentPosts[]"],
            args: { ...batch, pool: packedInts, days: packedInts },
            doc: "A batch of new posts: pool and contributions.",
          }),
          addReactions: step({
            script: lua("add-reactions"),
            keys: ["settings", "user.likedPosts[]", "user.preferences[]"],
            args: { ...batch, likes: packedInts, changes: packedInts },
            doc: "A batch of new reactions.",
          }),
        }),
        ...onlyIf(shards > 0, {
          poolPosts: step({
            script: lua.with("add-to-pool", "pool-posts"),
            keys: ["settings", "challengeOfPost", "deletedPosts", "recentPosts[]"],
            args: { ...batch, pool: packedInts },
            doc: "A batch of new posts: the pool, after the contributions of every shard.",
          }),
          spendDays: fencedStep({
            script: lua.with("add-days", "spend-days"),
            keys: ["user.contributions"],
            fence: "user.fence",
            args: { categories: int },
            record: many(int),
            doc: "The days of a batch of new posts that belong to one shard.",
          }),
          react: fencedStep({
            script: lua("react"),
            keys: ["user.likedPosts[]", "user.preferences[]"],
            fence: "user.fence",
            record: many(int),
            doc: "The reactions of a batch that belong to one shard.",
          }),
        }),
      },
    },
  )

export const recommender = recommenderSchema()
