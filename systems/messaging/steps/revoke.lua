-- Ends tokens of one user, who is offline then (MSG-5, MSG-9).
--
-- KEYS     TokensKeys, St:{user}, OnSub, the services with somebody online, the events of the service,
--          n × RefTok, m × AccTok, m × pairing
-- ARGV     n, m, m; the user; n, then n refresh tokens; m, then m access tokens;
--          how many events are kept, and for how many milliseconds
-- result   how many there were; with none, nothing is written but their map fields
--
-- OnSub is checked first: where it is not a set, nothing is half done.

-- include tell
local map, status, online, services, events = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local n, m, user = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[4]
local revoked = 0

check_own(events, services)
redis.call("SISMEMBER", online, user)
for i = 1, n do
  revoked = revoked + redis.call("DEL", KEYS[5 + i])
  redis.call("HDEL", map, ARGV[5 + i])
end
for i = 1, m do
  revoked = revoked + redis.call("DEL", KEYS[5 + n + i])
  redis.call("DEL", KEYS[5 + n + m + i])
  redis.call("HDEL", map, ARGV[6 + n + i])
end
if revoked > 0 then
  redis.call("SREM", online, user)
  if redis.call("DEL", status) == 1 then
    tell_presence(events, ARGV[7 + n + m], ARGV[8 + n + m], user, status)
  end
end
return revoked
