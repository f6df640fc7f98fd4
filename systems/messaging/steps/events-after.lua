-- What happened after an id, the oldest first (MSG-31). An entry that another program
-- left is returned with what it has, so that those after it are read.
--
-- KEYS[1]  the events of the service
-- ARGV     the id, how many at most
-- result   of each: id, kind, who is notified, data; "" where it is left out

local found = redis.call("XRANGE", KEYS[1], "(" .. ARGV[1], "+", "COUNT", ARGV[2])
local events = {}
for i, entry in ipairs(found) do
  local fields = {}
  for j = 1, #entry[2], 2 do
    fields[entry[2][j]] = entry[2][j + 1]
  end
  events[i] = { entry[1], fields.kind or "", fields.to or "", fields.data or "" }
end
return events
