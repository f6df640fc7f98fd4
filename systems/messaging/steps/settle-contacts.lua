-- The source is changed: the contact list is put back with the change, if nobody else
-- has begun to change it since; otherwise the next reader loads it (MSG-16).
--
-- KEYS[1]  C:{user}   KEYS[2]  its writers, by when they give up   KEYS[3]  who may store it
-- ARGV     who; n, then the n items; none: leave it to the next reader
-- result   1, or 0 when it is left to the next reader

local in_time = redis.call("ZREM", KEYS[2], ARGV[1]) == 1
local latest = redis.call("GET", KEYS[3]) == ARGV[1]
if latest then
  redis.call("DEL", KEYS[3])
end
if not in_time then
  redis.call("UNLINK", KEYS[1])
  return 0
end
if not latest or #ARGV == 2 or redis.call("EXISTS", KEYS[2]) == 1 then
  return 0
end
for i = 3, #ARGV do
  redis.call("RPUSH", KEYS[1], ARGV[i])
end
return 1
