-- A user did something: their status lives on, or begins; they are online (MSG-8).
--
-- KEYS     St:{user}, OnSub, the services with somebody online, the events of the service
-- ARGV     the user, now, milliseconds that a status lives; how many events are kept, and for how many milliseconds
-- result   whether that is new to others

-- include tell
-- include named
local status, online, services, events = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local user = ARGV[1]

check_own(events, services)
redis.call("SADD", online, user)
local is_new = redis.call("HSETNX", status, "behavioral_status", "online") == 1
redis.call("HSET", status, "last_activity_time", ARGV[2])
redis.call("PEXPIRE", status, ARGV[3])
redis.call("SADD", services, named(online))
if is_new then
  tell_presence(events, ARGV[4], ARGV[5], user, status)
end
return is_new and 1 or 0
