-- Removes sessions that were chosen as the oldest ones over the limit, if they still
-- are: one that was touched since is fresh, and stays (SHOP-19). The popularity of
-- items is not theirs, and stays too (SHOP-20).
--
-- KEYS[1]  login:   KEYS[2]  recent:   then n × viewed:{token}, n × cart:{token}
-- ARGV     n, n, the limit, n, then n tokens, the oldest first
-- result   how many were removed

local n, limit = tonumber(ARGV[1]), tonumber(ARGV[3])
local excess = redis.call("ZCARD", KEYS[2]) - limit
local doomed = {}

for i = 1, n do
  local rank = redis.call("ZRANK", KEYS[2], ARGV[4 + i])
  if rank and rank < excess then
    doomed[#doomed + 1] = i
  end
end
for _, i in ipairs(doomed) do
  redis.call("UNLINK", KEYS[2 + i], KEYS[2 + n + i])
  redis.call("HDEL", KEYS[1], ARGV[4 + i])
  redis.call("ZREM", KEYS[2], ARGV[4 + i])
end
return #doomed
