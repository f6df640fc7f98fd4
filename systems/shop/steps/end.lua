-- Ends a session, with its views and its cart (SHOP-9); all of it or, when one of the
-- keys is of another type, which ZCARD refuses, nothing (ALL-5).
--
-- KEYS[1]  login:           KEYS[2]  recent:
-- KEYS[3]  viewed:{token}   KEYS[4]  cart:{token}
-- ARGV     session
-- result   1, or 0 when there was no such session

redis.call("ZCARD", KEYS[2])
local known = redis.call("HDEL", KEYS[1], ARGV[1])
redis.call("ZREM", KEYS[2], ARGV[1])
redis.call("UNLINK", KEYS[3], KEYS[4])
return known
