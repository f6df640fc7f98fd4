-- Passes over records of which nothing is stored but their number (REC-C12).
--
-- KEYS[1]  rs_param
-- ARGV     the run's date, the cursor before, the cursor after, the table
-- error    RUN.OVERTAKEN  the cursor is elsewhere, or another run has begun

local date, from, to, field = ARGV[1], ARGV[2], ARGV[3], "cursor_" .. ARGV[4]

local at = redis.call("HMGET", KEYS[1], "last_run_date", field)
if at[1] ~= date or (at[2] or "0") ~= from then
  return redis.error_reply("RUN.OVERTAKEN another run has read these records")
end
redis.call("HSET", KEYS[1], field, to)
