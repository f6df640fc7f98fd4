-- What a session wants (SHOP-8).
--
-- KEYS[1]  login:   KEYS[2]  cart:{token}
-- ARGV     session
-- result   item and quantity by turns; nil when there is no such session

if redis.call("HEXISTS", KEYS[1], ARGV[1]) == 0 then
  return false
end
return redis.call("HGETALL", KEYS[2])
