-- Changes the parameters. Once a run has used them, the ring of days has its size and
-- contributions have their width: that takes a rebuild (REC-C16).
--
-- KEYS[1]  rs_param
-- ARGV     max_post_age, distinct_category
-- result   1, or 0 when they would change what a run has made

local at = redis.call("HMGET", KEYS[1], "day_index", "max_post_age", "distinct_category")
if at[1] and (at[2] ~= ARGV[1] or at[3] ~= ARGV[2]) then
  return 0
end
redis.call("HSET", KEYS[1], "max_post_age", ARGV[1], "distinct_category", ARGV[2])
return 1
