-- Forgets everything that is kept in a known key (REC-11). What is kept for single users
-- has to be looked for; until that is done, the mark remains, and no run begins.
--
-- KEYS[1]  rs_param   KEYS[2]  keywright:recommender:rebuild
-- KEYS[3…] what is forgotten: db_len, on_clg_info, post_clg_pair, without shards
--          user_contribution, and recent_posts_for_category{k}
-- ARGV     how many of those, max_post_age, distinct_category

redis.call("SET", KEYS[2], "begun")
for _, name in ipairs({ "clg", "mmbr", "post", "reaction", "tracking" }) do
  redis.call("HDEL", KEYS[1], "cursor_" .. name)
end
redis.call("HDEL", KEYS[1], "day_index", "last_run_date")
redis.call("UNLINK", unpack(KEYS, 3))
redis.call("HSET", KEYS[1], "max_post_age", ARGV[2], "distinct_category", ARGV[3])
