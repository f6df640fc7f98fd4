-- Forgets everything that is kept in a known key (REC-11). What is kept for single users
-- has to be looked for; until that is done, the mark remains, and no run begins.
--
-- KEYS[1]  rs_param            KEYS[2]  db_len          KEYS[3]  on_clg_info
-- KEYS[4]  user_contribution   KEYS[5]  post_clg_pair   KEYS[6]  keywright:recommender:rebuild
-- KEYS[7…] recent_posts_for_category{k}
-- ARGV     how many of those, max_post_age, distinct_category

redis.call("SET", KEYS[6], "begun")
for _, name in ipairs({ "clg", "mmbr", "post", "reaction", "tracking" }) do
  redis.call("HDEL", KEYS[1], "cursor_" .. name)
end
redis.call("HDEL", KEYS[1], "day_index", "last_run_date")
redis.call("UNLINK", KEYS[2], KEYS[3], KEYS[4], KEYS[5], unpack(KEYS, 7))
redis.call("HSET", KEYS[1], "max_post_age", ARGV[2], "distinct_category", ARGV[3])
