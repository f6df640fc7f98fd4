-- Which events are kept (MSG-31), and the earliest one from which a reader can resume.
--
-- KEYS[1]  the events of the service
-- ARGV     none
-- result   the first id and the latest, "" without events; how many; the server's time in milliseconds

local time = redis.call("TIME")
local first = redis.call("XRANGE", KEYS[1], "-", "+", "COUNT", 1)[1]
local latest = redis.call("XREVRANGE", KEYS[1], "+", "-", "COUNT", 1)[1]
return {
  first and first[1] or "", latest and latest[1] or "", redis.call("XLEN", KEYS[1]),
  string.format("%.0f", time[1] * 1000 + math.floor(time[2] / 1000)),
}
