-- Begins a session: it is known and dated, or neither (SHOP-2), also when one of the
-- keys is of another type: ZCARD refuses that before anything is written (ALL-5).
--
-- KEYS[1]  login:   KEYS[2]  recent:
-- ARGV     session, user, now
-- result   1

redis.call("ZCARD", KEYS[2])
redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
redis.call("ZADD", KEYS[2], ARGV[3], ARGV[1])
return 1
