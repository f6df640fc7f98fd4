-- Takes a post out of the pool (REC-20). One that no run has read yet is noted: a run
-- that has it in its hands now must not add it.
--
-- KEYS[1]  rs_param   KEYS[2]  post_clg_pair   KEYS[3]  keywright:recommender:deleted-posts
-- KEYS[4…] recent_posts_for_category{k}
-- ARGV     how many categories, the post

local categories, post = tonumber(ARGV[1]), ARGV[2]

-- A key of another type fails here, before anything is removed: a script is not undone.
redis.call("HLEN", KEYS[2])
redis.call("ZCARD", KEYS[3])
for category = 1, categories do
  redis.call("ZCARD", KEYS[3 + category])
end
for category = 1, categories do
  redis.call("ZREM", KEYS[3 + category], post)
end
redis.call("HDEL", KEYS[2], post)
if tonumber(post) > tonumber(redis.call("HGET", KEYS[1], "cursor_post") or 0) then
  redis.call("ZADD", KEYS[3], post, post)
end
