-- A batch of new reactions, together with the cursor (REC-3): what users interacted with,
-- and how often they reacted to each challenge; 0 means not a member (REC-C11).
--
-- KEYS[1]  rs_param   then n × {user}_liked_posts, m × {user}_clgs_preference
-- ARGV     n, m, the run's date, the cursor before, the cursor after,
--          packed post for each of the n, packed (challenge, 1 or -1) for each of the m
-- error    RUN.OVERTAKEN  the cursor is elsewhere, or another run has begun

local n, m, date, from, to = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
local likes, changes = cmsgpack.unpack(ARGV[6]), cmsgpack.unpack(ARGV[7])
local call = redis.call

local at = call("HMGET", KEYS[1], "last_run_date", "cursor_reaction")
if at[1] ~= date or (at[2] or "0") ~= from then
  return redis.error_reply("RUN.OVERTAKEN another run has read these records")
end
-- A key of another type fails here, before anything is counted: a script is not undone.
for i = 1, n do
  call("SCARD", KEYS[1 + i])
end
for i = 1, m do
  call("ZCARD", KEYS[1 + n + i])
end
for i = 1, n do
  call("SADD", KEYS[1 + i], likes[i])
end
for i = 1, m do
  local key, challenge = KEYS[1 + n + i], changes[2 * i - 1]
  if changes[2 * i] > 0 then
    call("ZINCRBY", key, "1", challenge)
  elseif tonumber(call("ZINCRBY", key, "-1", challenge)) <= 0 then
    call("ZREM", key, challenge)
  end
end
call("HSET", KEYS[1], "cursor_reaction", to)
