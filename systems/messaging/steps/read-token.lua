-- What a token says, where the map says that it is (MSG-4): look-up.lua in two round trips,
-- for clusters, where a script may touch only keys that it was given while a slot moves. A
-- field whose token is gone is dropped in passing (MSG-6).
--
-- KEYS     TokensKeys, the key of the token: RefTok or AccTok
-- ARGV     n and m, of which one is 1 and the other 0; the token
-- result   as look-up.lua; nil when there is no such token, or it is elsewhere by now

-- include named
local map, key, token = KEYS[1], KEYS[2], ARGV[3]
if redis.call("HGET", map, token) ~= named(key) then
  return false
end
local said = redis.call("HMGET", key, "tenant", "account", "service", "user", "access_token")
if not said[4] and redis.call("EXISTS", key) == 0 then
  redis.call("HDEL", map, token)
  return false
end
return { named(key), unpack(said) }
