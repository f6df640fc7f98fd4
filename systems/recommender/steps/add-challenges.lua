-- A batch of new challenges, together with the cursor (REC-3, REC-5).
--
-- KEYS[1]  rs_param   KEYS[2]  on_clg_info
-- ARGV     the run's date, the cursor before, the cursor after, n, n ids, n, n infos
-- error    RUN.OVERTAKEN  the cursor is elsewhere, or another run has begun

local date, from, to, n = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])

local at = redis.call("HMGET", KEYS[1], "last_run_date", "cursor_clg")
if at[1] ~= date or (at[2] or "0") ~= from then
  return redis.error_reply("RUN.OVERTAKEN another run has read these records")
end
for i = 1, n do
  redis.call("HSET", KEYS[2], ARGV[4 + i], ARGV[5 + n + i])
end
redis.call("HSET", KEYS[1], "cursor_clg", to)
