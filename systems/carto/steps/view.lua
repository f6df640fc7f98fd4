-- Counts a map view (CDB-16). Nothing is counted for a user who does not exist, and
-- nothing where one of the keys holds something else: the first that is written refuses by
-- itself, ZCARD does for the other. Anybody may name a visualization, so one that has no
-- views yet may be refused.
--
-- KEYS[1]  rails:users:{username}   KEYS[2]  user:{username}:mapviews:global
-- KEYS[3]  user:{username}:mapviews:stat_tag:{visualization}, where there is one
-- ARGV     how many visualizations, the day as YYYYMMDD, 1 when the visualization may be new
-- result   1, 2 when the visualization is new, 0 when there is no such user,
--          -1 when the visualization is new and may not be

local day, may_be_new = ARGV[2], ARGV[3] == "1"

if redis.call("HLEN", KEYS[1]) == 0 then
  return 0
end
local is_new = KEYS[3] and redis.call("ZCARD", KEYS[3]) == 0
if is_new and not may_be_new then
  return -1
end
redis.call("ZINCRBY", KEYS[2], 1, day)
if KEYS[3] then
  redis.call("ZINCRBY", KEYS[3], 1, day)
  redis.call("ZINCRBY", KEYS[3], 1, "total")
end
return is_new and 2 or 1
