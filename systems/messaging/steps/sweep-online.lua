-- Which of these users have a status; the others leave OnSub (MSG-11), and that is
-- published. Looking and removing is one step, so that a login between the two cannot be
-- undone (MSG-12). A service where nobody is online any more is not looked at again;
-- that is decided without users, when what was published has been told.
--
-- KEYS     OnSub, the services with somebody online, the events of the service, then n × St:{user}
-- ARGV     n; how many events are kept, and for how many milliseconds; n, then the n users
-- result   those who are online

-- include tell
-- include named
local online, services, events = KEYS[1], KEYS[2], KEYS[3]
local live = {}
check_own(events, services)
for i = 1, tonumber(ARGV[1]) do
  local user, status = ARGV[4 + i], KEYS[3 + i]
  if redis.call("EXISTS", status) == 1 then
    live[#live + 1] = user
  elseif redis.call("SREM", online, user) == 1 then
    tell_presence(events, ARGV[2], ARGV[3], user, status)
  end
end
if redis.call("EXISTS", online) == 1 then
  redis.call("SADD", services, named(online))
elseif ARGV[1] == "0" then
  redis.call("SREM", services, named(online))
end
return live
