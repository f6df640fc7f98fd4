-- A batch of new reactions, together with the cursor (REC-3): what users interacted
-- with, and how often they reacted to each challenge; 0 is no member (REC-C11).
--
-- KEYS[1]  rs_param   then n × {user}_liked_posts, m × {user}_clgs_preference
-- ARGV     n, m, the run's date, the cursor before, the cursor after,
--          packed (how many, post…) for each of the n,
--          packed (how many, (challenge, change)…) for each of the m
-- error    RUN.OVERTAKEN  the cursor is elsewhere, or another run has begun

local n, m, date, from, to = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
local likes, changes = cmsgpack.unpack(ARGV[6]), cmsgpack.unpack(ARGV[7])
local call = redis.call

local at = call("HMGET", KEYS[1], "last_run_date", "cursor_reaction")
if at[1] ~= date or (at[2] or "0") ~= from then
  return redis.error_reply("RUN.OVERTAKEN another run has read these records")
end

local place = 1
for i = 1, n do
  local count = likes[place]
  if count == 1 then
    call("SADD", KEYS[1 + i], likes[place + 1])
  else
    call("SADD", KEYS[1 + i], unpack(likes, place + 1, place + count))
  end
  place = place + 1 + count
end

place = 1
for i = 1, m do
  local key, count = KEYS[1 + n + i], changes[place]
  for j = place + 1, place + 2 * count, 2 do
    local challenge, change = changes[j], changes[j + 1]
    local score = call("ZINCRBY", key, change == 1 and "1" or change, challenge)
    if change < 0 and tonumber(score) <= 0 then
      call("ZREM", key, challenge)
    end
  end
  place = place + 1 + 2 * count
end
call("HSET", KEYS[1], "cursor_reaction", to)
