-- Counts a map view (CDB-16). Nothing is counted for a user who is not there, and
-- nothing where one of the keys holds something else: the first that is written refuses by
-- itself, ZCARD does for the other.
--
-- KEYS[1]  rails:users:{username}   KEYS[2]  user:{username}:mapviews:global
-- KEYS[3]  user:{username}:mapviews:stat_tag:{visualization}, where there is one
-- ARGV     how many visualizations, the day as YYYYMMDD
-- result   1, or 0 when there is no such user

local day = ARGV[2]

if redis.call("HLEN", KEYS[1]) == 0 then
  return 0
end
if KEYS[3] then
  redis.call("ZCARD", KEYS[3])
end
redis.call("ZINCRBY", KEYS[2], 1, day)
if KEYS[3] then
  redis.call("ZINCRBY", KEYS[3], 1, day)
  redis.call("ZINCRBY", KEYS[3], 1, "total")
end
return 1
