-- Notes that a session looked at an item (SHOP-3). Whose session it is comes from
-- login: and from nowhere else; without one nothing is written (SHOP-5), nor when one
-- of the keys is of another type (ALL-5): ZCARD refuses it, or the first ZADD, and HSET before
-- that changes nothing.
--
-- KEYS[1]  login:           KEYS[2]  recent:
-- KEYS[3]  viewed:{token}   KEYS[4]  viewed:, the popularity; with shards, what is added to it later
-- ARGV     session, item, now, how many items are kept,
--          how many items have a popularity, how many of them stay when there are more
-- result   1, or 0 when there is no such session

local call = redis.call
local session, item, now, keep = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local most, stay = tonumber(ARGV[5]), tonumber(ARGV[6])

local user = call("HGET", KEYS[1], session)
if not user then
  return 0
end
call("ZCARD", KEYS[3])
local counted = call("ZCARD", KEYS[4])
call("HSET", KEYS[1], session, user)
call("ZADD", KEYS[2], now, session)
call("ZADD", KEYS[3], now, item)
call("ZREMRANGEBYRANK", KEYS[3], 0, -keep - 1)
call("ZINCRBY", KEYS[4], -1, item)
if counted >= most and call("ZCARD", KEYS[4]) > most then
  call("ZREMRANGEBYRANK", KEYS[4], stay, -1)
end
return 1
