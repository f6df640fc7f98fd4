-- A refresh token for a new pair, once (MSG-2, MSG-3): the old token goes, with the
-- access token that it came with, and its user is online (MSG-8).
--
-- KEYS     TokensKeys, St:{user}, OnSub, the services with somebody online, the events of the service,
--          who revokes the tokens of the service and of the user, the family of the tokens,
--          RefTok of the old and of the new token,
--          AccTok of the new and, where the old token names one, of the old access token,
--          the pairings of the same access tokens
-- ARGV     2, n, n; the user; old, refresh and access token; the old access token or "";
--          milliseconds of the refresh token (0: no end), access token and status; now;
--          how many events are kept, and for how many milliseconds;
--          milliseconds of the family, and now in microseconds
-- result   1; 0 when the token is used or gone; -1 while it may be about to be revoked
--
-- Presence is written first: where one of its keys is of another type, the step ends
-- there, and the old token is still good.

-- include tell
-- include named
local n = tonumber(ARGV[2])
local user, old, refresh, access, old_access = ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]
local refresh_ms, access_ms, status_ms, now = ARGV[9], ARGV[10], ARGV[11], ARGV[12]
local family_ms, instant = ARGV[15], ARGV[16]
local map, status, online = KEYS[1], KEYS[2], KEYS[3]
local services, events = KEYS[4], KEYS[5]
local family, old_key, refresh_key, access_key = KEYS[8], KEYS[9], KEYS[10], KEYS[11]
local pair_key = KEYS[11 + n]

if redis.call("HGET", map, old) ~= named(old_key) then
  return 0
end
if redis.call("EXISTS", KEYS[6], KEYS[7]) > 0 then
  return -1
end
local names = { "tenant", "account", "project", "service", "user" }
local grant = {}
for i, value in ipairs(redis.call("HMGET", old_key, unpack(names))) do
  if not value then
    redis.call("HDEL", map, old)
    return 0
  end
  grant[2 * i - 1], grant[2 * i] = names[i], value
end
if (redis.call("HGET", old_key, "access_token") or "") ~= old_access then
  return 0
end

check_own(events, services)
redis.call("HLEN", family)
redis.call("SADD", online, user)
local was = redis.call("HGET", status, "behavioral_status")
redis.call("HSET", status, "behavioral_status", "online", "last_activity_time", now)
redis.call("PEXPIRE", status, status_ms)
redis.call("SADD", services, named(online))
if was ~= "online" then
  tell_presence(events, ARGV[13], ARGV[14], user, status)
end

redis.call("DEL", old_key)
redis.call("HDEL", map, old)
if n == 2 then
  redis.call("DEL", KEYS[12], KEYS[14])
  redis.call("HDEL", map, old_access)
end

redis.call("HSET", access_key, unpack(grant))
redis.call("PEXPIRE", access_key, access_ms)
redis.call("SET", pair_key, refresh, "PX", access_ms)
redis.call("HSET", refresh_key, "access_token", access, unpack(grant))
if refresh_ms ~= "0" then
  redis.call("PEXPIRE", refresh_key, refresh_ms)
end
redis.call("HSET", map, access, named(access_key), refresh, named(refresh_key))
redis.call("HSET", family, "refresh", refresh, "access", access, "at", instant)
redis.call("PEXPIRE", family, family_ms)
return 1
