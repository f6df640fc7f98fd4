-- Part of other scripts: a user did something, so their status lives on, or begins; they are
-- online (MSG-8). What could be refused is looked at before anything is written.
--
-- result   whether that is new to others
local function be_present(keys, user, now, ms, kept, kept_ms)
  local status, online, services, events = keys.status, keys.online, keys.services, keys.events
  local is_new = redis.call("HEXISTS", status, "behavioral_status") == 0
  local is_listed = redis.call("SISMEMBER", services, named(online)) == 1
  if is_new then
    redis.call("XLEN", events)
  end

  redis.call("SADD", online, user)
  if is_new then
    redis.call("HSET", status, "behavioral_status", "online", "last_activity_time", now)
  else
    redis.call("HSET", status, "last_activity_time", now)
  end
  redis.call("PEXPIRE", status, ms)
  if not is_listed then
    redis.call("SADD", services, named(online))
  end
  if is_new then
    tell_presence(events, kept, kept_ms, user, status)
  end
  return is_new
end
