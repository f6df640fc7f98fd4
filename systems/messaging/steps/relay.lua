-- Changes of presence of one shard become events of the service, in their order (MSG-31).
-- They may be brought several times, by several processes at once: those up to the latest
-- one that came from the shard are passed over.
--
-- KEYS     the events of the service, the latest change that came from each shard
-- ARGV     the shard; how many events are kept, and for how many milliseconds;
--          four for each change, as a count and that many texts: id, kind, who is notified, data
-- result   how many were new

-- include tell
local events, told = KEYS[1], KEYS[2]
local from, kept, ms = ARGV[1], ARGV[2], ARGV[3]

local function parts(id)
  local time, number = string.match(id, "^(%d+)-(%d+)$")
  return tonumber(time), tonumber(number)
end
local last_time, last_number = parts(redis.call("HGET", told, from) or "0-0")

redis.call("XLEN", events)
local new, last = 0, nil
for i = 5, #ARGV, 4 do
  local time, number = parts(ARGV[i])
  if time > last_time or (time == last_time and number > last_number) then
    last = add(events, kept, "kind", ARGV[i + 1], "to", ARGV[i + 2], "data", ARGV[i + 3])
    last_time, last_number = time, number
    redis.call("HSET", told, from, ARGV[i])
    new = new + 1
  end
end
if last then
  redis.call("PEXPIRE", told, ms)
  notify(events, ms, last)
end
return new
