-- Sets how many of an item a session wants; none removes it (SHOP-7).
--
-- KEYS[1]  login:   KEYS[2]  cart:{token}
-- ARGV     session, item, quantity, how many items a cart may have
-- result   1, or 0 when there is no such session
-- errors   CART.FULL when it would have more

local session, item, quantity, most = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])

if redis.call("HEXISTS", KEYS[1], session) == 0 then
  return 0
end
if quantity > 0 then
  if redis.call("HEXISTS", KEYS[2], item) == 0 and redis.call("HLEN", KEYS[2]) >= most then
    return redis.error_reply("CART.FULL a cart has at most " .. most .. " items")
  end
  redis.call("HSET", KEYS[2], item, ARGV[3])
else
  redis.call("HDEL", KEYS[2], item)
end
return 1
