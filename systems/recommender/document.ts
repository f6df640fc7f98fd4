/* What the recommender's page quotes of its document, and of the requirements that it became. */

import type { SystemDocument } from "../platform/pages/document.ts"

export const document: SystemDocument = {
  keys: {
    settings: ["REC-K1", "`day_index` = an integer between 0 and max_post_age - 1 inclusive"],
    tableSizes: ["REC-K2", "number of records in this table (in previous day)"],
    recentPosts: ["REC-K3", "(post_id, score=DAY_INDEX) for all recent post_id belongs to the specified category"],
    challenges: ["REC-K4", "'category, is_public, duration, finished_date' separated by comma"],
    "user.contributions": [
      "REC-K5",
      "then user 111 spent 1,0,0,0,0 days on challenge category 0,1,2,3,4 respectively.",
    ],
    challengeOfPost: ["REC-K6", "hash_value = challenge_id of the post"],
    "user.likedPosts": ["REC-K7", "set_value = {post_id} for which the user interacted with."],
    "user.preferences": ["REC-K8", "user 123 has reacted to challenge 111 for 100 times"],
  },
  routes: {
    "GET /users/{id}/recommendations": [
      "REC-13",
      "Posts of challenges that the user reacts to come first, then the newest of the three favourite categories, then others.",
    ],
    "GET /users/{id}/contribution": ["REC-18", "5 non-negative integers, separated by comma"],
    "GET /users/{id}/preferences": ["REC-18", "zset_value = {challenge_id, interaction_frequency}"],
    "GET /users/{id}/liked": ["REC-18", "{post_id} for which the user interacted with."],
    "POST /reactions": ["REC-19", "A reaction is a row of the source; Redis learns of it in the next nightly run."],
    "POST /posts": ["REC-19", "A post is a row of the source; Redis learns of it in the next nightly run."],
    "POST /jobs/nightly": [
      "REC-1",
      "Advance the day, clear its slot, then challenges, members, posts and reactions, each batch with its cursor in one step.",
    ],
    "GET /status": ["REC-18", "there are 10 records in the POST table as of last night"],
  },
}
