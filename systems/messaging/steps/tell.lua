-- Part of other scripts: what happened goes into the stream of the service, and readers
-- are notified that there is something to read.

-- events   the stream, the number of entries that it keeps, and for how many milliseconds
-- fields   of the entry
local function add(events, kept, ...)
  return redis.call("XADD", events, "MAXLEN", "=", kept, "*", ...)
end

local function notify(events, ms, id)
  redis.call("PEXPIRE", events, ms)
  redis.call("PUBLISH", events, id)
end

local function tell(events, kept, ms, ...)
  notify(events, ms, add(events, kept, ...))
end

-- The status of a user as it is now, for those who have the user as a contact.
local function tell_presence(events, kept, ms, user, status)
  local shown = { user = user, behavioral_status = "offline" }
  local stored = redis.call("HGETALL", status)
  for i = 1, #stored, 2 do
    shown[stored[i]] = stored[i + 1]
  end
  tell(events, kept, ms, "kind", "presence", "to", "p:" .. user, "data", cjson.encode(shown))
end

-- Nothing is written where one of our own keys is of another type.
local function check_own(events, services)
  redis.call("XLEN", events)
  redis.call("SCARD", services)
end
