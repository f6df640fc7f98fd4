-- A batch of new posts, together with the cursor (REC-3): into the pool. Their authors' days
-- were counted before, in the shards of those.
--
-- KEYS[1]  rs_param   KEYS[2]  post_clg_pair   KEYS[3]  keywright:recommender:deleted-posts
-- KEYS[4…] recent_posts_for_category{k}, by the category's code
-- ARGV     how many categories, the run's date, the cursor before, the cursor after,
--          packed (category, post, challenge)…
-- error    RUN.OVERTAKEN  the cursor is elsewhere, or another run has begun

-- include add-to-pool
local categories, date, from, to = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4]
local pool = cmsgpack.unpack(ARGV[5])

local at = redis.call("HMGET", KEYS[1], "last_run_date", "cursor_post", "day_index")
if at[1] ~= date or (at[2] or "0") ~= from then
  return redis.error_reply("RUN.OVERTAKEN another run has read these records")
end

-- A key of another type fails here, before anything is written: a script is not undone.
redis.call("HLEN", KEYS[2])
for category = 1, categories do
  redis.call("ZCARD", KEYS[3 + category])
end

add_to_pool(pool, at[3], KEYS[2], KEYS[3], 3, categories, from, to)
redis.call("ZREMRANGEBYSCORE", KEYS[3], "-inf", to)
redis.call("HSET", KEYS[1], "cursor_post", to)
