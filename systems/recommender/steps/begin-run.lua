-- Moves the ring of days on to a date, once: whoever comes second finds another date
-- than the one it knows (REC-2).
--
-- KEYS[1]  rs_param
-- ARGV     the last run's date as the caller knows it ("" for none), the date, the
--          slot, and the parameters, which are written when there are none
-- error    RUN.OVERTAKEN  another run has begun since

local last, date, index, age, categories = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

if (redis.call("HGET", KEYS[1], "last_run_date") or "") ~= last then
  return redis.error_reply("RUN.OVERTAKEN another run has begun since")
end
redis.call("HSET", KEYS[1], "day_index", index, "last_run_date", date)
redis.call("HSETNX", KEYS[1], "max_post_age", age)
redis.call("HSETNX", KEYS[1], "distinct_category", categories)
