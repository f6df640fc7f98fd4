-- Sets how many of an item a session wants; none removes it (SHOP-7).
--
-- KEYS[1]  login:   KEYS[2]  cart:{token}
-- ARGV     session, item, quantity
-- result   1, or 0 when there is no such session

local session, item, quantity = ARGV[1], ARGV[2], tonumber(ARGV[3])

if redis.call("HEXISTS", KEYS[1], session) == 0 then
  return 0
end
if quantity > 0 then
  redis.call("HSET", KEYS[2], item, ARGV[3])
else
  redis.call("HDEL", KEYS[2], item)
end
return 1
