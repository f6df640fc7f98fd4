-- Advances the ring of days to a date, once: a second caller finds another date than the
-- one it knows (REC-2).
--
-- KEYS[1]  rs_param
-- ARGV     the last run's date as the caller knows it ("" for none), the date, the
--          slot, and the parameters as the caller knows them, which are written when
--          there are none
-- error    RUN.OVERTAKEN  another run has begun since, or the parameters were changed

local last, date, index, age, categories = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local at = redis.call("HMGET", KEYS[1], "last_run_date", "max_post_age", "distinct_category")
if (at[1] or "") ~= last or (at[2] or age) ~= age or (at[3] or categories) ~= categories then
  return redis.error_reply("RUN.OVERTAKEN another run has begun since, or the parameters were changed")
end
local parameters = { "max_post_age", age, "distinct_category", categories }
redis.call("HSET", KEYS[1], "day_index", index, "last_run_date", date, unpack(parameters))
