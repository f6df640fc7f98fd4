-- Somebody is about to load a contact list from the source (MSG-18). Nobody may store
-- what was loaded while another changes the source (MSG-16).
--
-- KEYS[1]  C:{user}   KEYS[2]  its writers, by when they give up   KEYS[3]  who may store it
-- ARGV     who, and for how many milliseconds
-- result   1, or 0 when it will not be stored

local time = redis.call("TIME")
redis.call("ZREMRANGEBYSCORE", KEYS[2], "-inf", time[1] * 1000 + math.floor(time[2] / 1000))
if redis.call("EXISTS", KEYS[1], KEYS[2]) > 0 then
  return 0
end
return redis.call("SET", KEYS[3], ARGV[1], "NX", "PX", ARGV[2]) and 1 or 0
