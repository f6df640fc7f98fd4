-- The source is about to be changed: the contact list is removed, so that nobody is left
-- with an old one whatever happens, and nobody stores it until all writers are done or
-- have given up (MSG-16).
--
-- KEYS[1]  C:{user}   KEYS[2]  its writers, by when they give up   KEYS[3]  who may store it
-- ARGV     who, and for how many milliseconds
-- result   what the list was

local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local items = redis.call("LRANGE", KEYS[1], 0, -1)
redis.call("UNLINK", KEYS[1])
redis.call("ZREMRANGEBYSCORE", KEYS[2], "-inf", now)
redis.call("ZADD", KEYS[2], string.format("%.0f", now + tonumber(ARGV[2])), ARGV[1])
redis.call("PEXPIRE", KEYS[2], ARGV[2])
redis.call("SET", KEYS[3], ARGV[1], "PX", ARGV[2])
return items
