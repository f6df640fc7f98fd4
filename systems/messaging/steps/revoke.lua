-- Ends tokens of one user, who is offline then (MSG-5, MSG-9).
--
-- KEYS     TokensKeys, St:{user}, OnSub, n × RefTok, m × AccTok, m × pairing
-- ARGV     n, m, m; the user; n, then n refresh tokens; m, then m access tokens
-- result   how many there were; with none, nothing is written but their map fields
--
-- OnSub is looked at first: where it is no set, nothing is ended by half.

local map, status, online = KEYS[1], KEYS[2], KEYS[3]
local n, m, user = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[4]
local revoked = 0

redis.call("SISMEMBER", online, user)
for i = 1, n do
  revoked = revoked + redis.call("DEL", KEYS[3 + i])
  redis.call("HDEL", map, ARGV[5 + i])
end
for i = 1, m do
  revoked = revoked + redis.call("DEL", KEYS[3 + n + i])
  redis.call("DEL", KEYS[3 + n + m + i])
  redis.call("HDEL", map, ARGV[6 + n + i])
end
if revoked > 0 then
  redis.call("DEL", status)
  redis.call("SREM", online, user)
end
return revoked
