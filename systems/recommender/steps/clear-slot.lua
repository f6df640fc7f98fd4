-- Takes posts of some slots of the ring out of one category's pool, with their
-- challenges (REC-7, REC-8); a bounded number at a time, so that nobody waits long.
--
-- KEYS[1]  rs_param   KEYS[2]  recent_posts_for_category{k}   KEYS[3]  post_clg_pair
-- ARGV     the last run's date as the caller knows it ("" for none, "*" for whatever it
--          is), the lowest slot, the highest slot, how many posts at most
-- result   how many posts were taken out
-- error    RUN.OVERTAKEN  another run has been here since: its posts are in these slots

local last, min, max, limit = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

if last ~= "*" and (redis.call("HGET", KEYS[1], "last_run_date") or "") ~= last then
  return redis.error_reply("RUN.OVERTAKEN another run has begun since")
end
redis.call("HLEN", KEYS[3]) -- of another type, it fails before anything is removed
local posts = redis.call("ZRANGEBYSCORE", KEYS[2], min, max, "LIMIT", 0, limit)
for first = 1, #posts, 1000 do
  local some = { unpack(posts, first, math.min(first + 999, #posts)) }
  redis.call("ZREM", KEYS[2], unpack(some))
  redis.call("HDEL", KEYS[3], unpack(some))
end
return #posts
