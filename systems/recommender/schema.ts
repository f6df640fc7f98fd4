/* The recommender: a pool of recent posts by category, and what users did with them. */

import { csv, day, flag, hash, id, int, keyspace, many, map, oneOf, optional, set, zset } from "keywright"

const user = id("user", int)
const post = id("post", int)
const challenge = id("challenge", int)
const table = oneOf("clg", "mmbr", "post", "reaction", "tracking")
const cursor = optional(int)

export const recommender = keyspace({
  settings: hash("rs_param", {
    max_post_age: int,
    distinct_category: int,
    day_index: optional(int),
    last_run_date: optional(day),
    cursor_clg: cursor, cursor_mmbr: cursor, cursor_post: cursor, cursor_reaction: cursor, cursor_tracking: cursor,
  }, { doc: "Days that a post stays in the pool, number of categories, today's slot in the ring of days, and how far the nightly run has read." }),
  tableSizes: map("db_len", table, int, { doc: "Records per table, as of last night." }),
  recentPosts: zset("recent_posts_for_category{suffix}", post, {
    params: { suffix: int },
    score: int,
    doc: "Recent posts of a category: the score is the day_index of the run that added them. The suffix is the category's code + 1.",
  }),
  challenges: map("on_clg_info", challenge, csv({ category: int, isPublic: flag, duration: int, finishedDate: day }), {
    doc: "Challenges that are going on.",
  }),
  contributions: map("user_contribution", user, many(int), { doc: "Days that a user spent on each category, by code." }),
  challengeOfPost: map("post_clg_pair", post, challenge, { doc: "The challenge of each post in the pool." }),
  likedPosts: set("{user}_liked_posts", post, { doc: "Posts that a user interacted with." }),
  preferences: zset("{user}_clgs_preference", challenge, { score: int, doc: "How often a user reacted to each challenge." }),
}, {
  name: "recommender",
  doc: "A nightly mirror of five tables, from which posts are recommended.",
  ttl: "never",
  params: { user },
})
