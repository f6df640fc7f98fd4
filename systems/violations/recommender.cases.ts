/* What the recommender's document forbids. */

import { rows, texts, type Violations } from "./violation.cases.ts"

export const recommender: Violations = async (ask) => {
  const [post, challenge] = texts(await ask("HRANDFIELD", "post_clg_pair", "1", "WITHVALUES")) as [string, string]
  const [pooled] = texts(await ask("ZRANGE", "recent_posts_for_category1", "0", "0")) as [string]
  const infos = texts(await ask("HGETALL", "on_clg_info"))
  const at = infos.findIndex((info) => /^\d+,1,/.test(info)) // of a public challenge
  const [ongoing, category] = [infos[at - 1]!, Number(infos[at]!.split(",")[0])]
  const stray = `recent_posts_for_category${category === 3 ? 5 : 4}`
  return rows([
    ["day_index is between 0 and max_post_age - 1", "HSET rs_param day_index 99", "COMPARE.BROKEN rs_param", "never"],
    ["5 integers, none negative", "HSET user_contribution 9001 -1,2", "VALUE.UNDECODABLE user_contribution", "broken"],
    ["exactly 5 integers", "HSET user_contribution 9002 1,2,3,4,5,6,7,8", "COMPARE.BROKEN user_contribution", "broken"],
    ["no fewer than 5 integers", "HSET user_contribution 9003 1,2", "COMPARE.BROKEN user_contribution", "broken"],
    ["integers", "HSET user_contribution 9004 1,2,x,0,0", "VALUE.UNDECODABLE user_contribution", "broken"],
    [
      "a key for each category from 1 to 5",
      `ZADD recent_posts_for_category9 0 ${post}`,
      ["COMPARE.BROKEN recent_posts_for_category9", "POOL.CATEGORY recent_posts_for_category9"],
      "broken",
    ],
    [
      "keys are numbered from 1",
      `ZADD recent_posts_for_category0 0 ${post}`,
      ["COMPARE.BROKEN recent_posts_for_category0", "POOL.CATEGORY recent_posts_for_category0"],
      "broken",
    ],
    [
      "the score is a day_index",
      `ZADD recent_posts_for_category1 88 ${pooled}`,
      "COMPARE.BROKEN recent_posts_for_category1",
      "broken",
    ],
    [
      "a day_index is not negative",
      `ZADD recent_posts_for_category2 -1 ${post}`,
      "VALUE.UNDECODABLE recent_posts_for_category2",
      "broken",
    ],
    [
      "a recent post has a challenge",
      "ZADD recent_posts_for_category3 0 905555",
      "REFERS.DANGLING recent_posts_for_category3",
      "always",
    ],
    [
      "a category among the distinct ones",
      "HSET on_clg_info 900042 42,1,21,2999-01-22",
      "COMPARE.BROKEN on_clg_info",
      "broken",
    ],
    [
      "category, is_public, duration and finished_date",
      "HSET on_clg_info 900043 1,1,21",
      "VALUE.UNDECODABLE on_clg_info",
      "broken",
    ],
    ["a duration in days", "HSET on_clg_info 900044 1,1,0,2024-01-22", "VALUE.UNDECODABLE on_clg_info", "broken"],
    ["a finished date", "HSET on_clg_info 900045 1,1,21,soon", "VALUE.UNDECODABLE on_clg_info", "broken"],
    ["the challenge of a post is an id", "HSET post_clg_pair 905556 abc", "VALUE.UNDECODABLE post_clg_pair", "broken"],
    ["liked posts are ids", "SADD 9005_liked_posts abc", "VALUE.UNDECODABLE 9005_liked_posts", "broken"],
    ["liked posts are a set", `ZADD 9006_liked_posts 1 ${post}`, "KEY.TYPE 9006_liked_posts", "broken"],
    [
      "how often a user reacted",
      [`SADD 9007_liked_posts ${post}`, `ZADD 9007_clgs_preference -4 ${ongoing}`],
      "VALUE.UNDECODABLE 9007_clgs_preference",
      "broken",
    ],
    [
      "a preference is a challenge's",
      [`SADD 9008_liked_posts ${post}`, "ZADD 9008_clgs_preference 3 907777"],
      "REFERS.DANGLING 9008_clgs_preference",
      "always",
    ],
    ["the number of records in a table", "HSET db_len post -3", "VALUE.UNDECODABLE db_len", "broken"],
    ["one of five tables", "HSET db_len posts 3", "VALUE.UNDECODABLE db_len", "broken"],
    ["one of the numbers of the run", "HSET rs_param maxPostAge 7", "VALUE.FIELD_UNKNOWN rs_param", "fields"],
    ["all five tables", "HDEL db_len clg mmbr", "COMPARE.BROKEN db_len", "never"],
    ["a date that exists", "HSET on_clg_info 900046 1,1,21,2024-02-30", "VALUE.UNDECODABLE on_clg_info", "broken"],
    ["is it public?", "HSET on_clg_info 900047 1,maybe,21,2024-02-20", "VALUE.UNDECODABLE on_clg_info", "broken"],
    ["four values", "HSET on_clg_info 900048 1,1,21,2024-02-20,x", "VALUE.UNDECODABLE on_clg_info", "broken"],
    ["challenges by their ids", "HSET on_clg_info first 1,1,21,2024-02-20", "VALUE.UNDECODABLE on_clg_info", "broken"],
    ["contributions by user", "HSET user_contribution abc 1,0,0,0,0", "VALUE.UNDECODABLE user_contribution", "broken"],
    ["separated by commas", "HSET user_contribution 9010 1;0;0;0;0", "VALUE.UNDECODABLE user_contribution", "broken"],
    [
      "a pair for each recent post",
      `HSET post_clg_pair 905999 ${challenge}`,
      "REFERS.DANGLING post_clg_pair",
      "always",
    ],
    ["posts of a user", `SADD abc_liked_posts ${post}`, "KEY.SEGMENT abc_liked_posts", "broken"],
    [
      "who reacted has interacted",
      `ZADD 9009_clgs_preference 3 ${ongoing}`,
      "REFERS.ORPHAN 9009_clgs_preference",
      "orphans",
    ],
    [
      "times are whole",
      [`SADD 9011_liked_posts ${post}`, `ZADD 9011_clgs_preference 2.5 ${ongoing}`],
      "VALUE.UNDECODABLE 9011_clgs_preference",
      "broken",
    ],
    [
      "a category's number",
      `ZADD recent_posts_for_category01 0 ${post}`,
      "KEY.SEGMENT recent_posts_for_category01",
      "broken",
    ],
    [
      "posts stay until their day comes round",
      "PEXPIRE post_clg_pair 100000",
      "TTL.UNEXPECTED post_clg_pair",
      "always",
    ],
    [
      "a recent post belongs to the category",
      [`HSET post_clg_pair 905998 ${ongoing}`, `ZADD ${stray} 0 905998`],
      `POOL.CATEGORY ${stray}`,
      "never",
    ],
    [
      "the key is spelled clgs_preference",
      `ZADD 123_clg_preference 100 ${challenge}`,
      "KEY.UNKNOWN 123_clg_preference",
      "unknown",
    ],
    [
      "challenges that are going on",
      "HSET on_clg_info 900049 1,1,21,2020-01-22",
      "CHALLENGE.FINISHED on_clg_info",
      "never",
    ],
    [
      "posts of private challenges are not recommended",
      [
        "HSET on_clg_info 900050 0,0,21,2999-01-01",
        "HSET post_clg_pair 905997 900050",
        "ZADD recent_posts_for_category1 0 905997",
      ],
      "POOL.PRIVATE recent_posts_for_category1",
      "never",
    ],
    ["the age of the oldest post in days", "HDEL rs_param max_post_age", "RUN.PARAMETERS rs_param", "never"],
    ["the number of categories", "HDEL rs_param distinct_category", "RUN.PARAMETERS rs_param", "never"],
    ["what was counted last night, was counted by a run", "DEL rs_param", "RUN.UNKNOWN db_len", "never", "alone"],
    ["it has a day", "HDEL rs_param day_index", ["RUN.PARAMETERS rs_param", "RUN.UNKNOWN db_len"], "never", "alone"],
  ])
}
