-- Has a row copied from now on (SHOP-10): it has a delay and a place in the schedule, or
-- neither, also when one of the keys is of another type, which ZCARD refuses (ALL-5).
--
-- KEYS[1]  delay:   KEYS[2]  schedule:
-- ARGV     row, the seconds between two copies, now
-- result   1

redis.call("ZCARD", KEYS[2])
redis.call("ZADD", KEYS[1], ARGV[2], ARGV[1])
redis.call("ZADD", KEYS[2], ARGV[3], ARGV[1])
return 1
