-- A user did something: his status lives on, or begins; he is online (MSG-8).
--
-- KEYS[1]  St:{user}   KEYS[2]  OnSub
-- ARGV     the user, now, milliseconds that a status lives

redis.call("SADD", KEYS[2], ARGV[1])
redis.call("HSETNX", KEYS[1], "behavioral_status", "online")
redis.call("HSET", KEYS[1], "last_activity_time", ARGV[2])
redis.call("PEXPIRE", KEYS[1], ARGV[3])
