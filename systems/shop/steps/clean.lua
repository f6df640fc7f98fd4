-- Removes sessions that are among the oldest ones over the limit: one that was touched
-- since it was chosen is fresh and stays, and the next one goes in its place (SHOP-19).
-- The popularity of items is not theirs, and stays too (SHOP-20).
--
-- Of sessions in shards, which of all are the oldest is decided outside: then the limit is
-- 0, and that the score is still the one seen is all that has to hold. One that is gone was
-- removed by another pass, and counts as one of those to remove.
--
-- KEYS[1]  login:   KEYS[2]  recent:   then n × viewed:{token}, n × cart:{token}
-- ARGV     n, n, the limit, how many to remove at most, n, then n tokens, the oldest first,
--          n, then when each of them was seen
-- result   how many were removed, and how many were gone

local n, limit, most = tonumber(ARGV[1]), tonumber(ARGV[3]), tonumber(ARGV[4])
local excess = redis.call("ZCARD", KEYS[2]) - limit
local doomed, gone = {}, 0

for i = 1, n do
  local token, seen = ARGV[5 + i], tonumber(ARGV[6 + n + i])
  local rank = redis.call("ZRANK", KEYS[2], token)
  if not rank then
    gone = gone + 1
  elseif rank < excess and #doomed + (limit == 0 and gone or 0) < most then
    if tonumber(redis.call("ZSCORE", KEYS[2], token)) == seen then
      doomed[#doomed + 1] = i
    end
  end
end
for _, i in ipairs(doomed) do
  redis.call("UNLINK", KEYS[2 + i], KEYS[2 + n + i])
  redis.call("HDEL", KEYS[1], ARGV[5 + i])
  redis.call("ZREM", KEYS[2], ARGV[5 + i])
end
return { #doomed, gone }
