-- A user states a status (MSG-8); offline ends it (MSG-9). Others are only notified of
-- changes.
--
-- KEYS     St:{user}, OnSub, the services with somebody online, the events of the service
-- ARGV     the user, milliseconds that a status lives; how many events are kept, and for how many milliseconds;
--          now; n, then n words: fields and their values, none to go offline
-- result   fields and values of the status

-- include tell
-- include named
local status, online, services, events = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local user, ms, kept, kept_ms, now = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

check_own(events, services)
if tonumber(ARGV[6]) == 0 then
  redis.call("SREM", online, user)
  if redis.call("DEL", status) == 1 then
    tell_presence(events, kept, kept_ms, user, status)
  end
  return {}
end
redis.call("SADD", online, user)
local is_changed = false
for i = 7, 6 + ARGV[6], 2 do
  if redis.call("HGET", status, ARGV[i]) ~= ARGV[i + 1] then
    is_changed = true
    redis.call("HSET", status, ARGV[i], ARGV[i + 1])
  end
end
redis.call("HSET", status, "last_activity_time", now)
redis.call("PEXPIRE", status, ms)
redis.call("SADD", services, named(online))
if is_changed then
  tell_presence(events, kept, kept_ms, user, status)
end
return redis.call("HGETALL", status)
