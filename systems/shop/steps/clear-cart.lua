-- Empties a session's cart (SHOP-8).
--
-- KEYS[1]  login:   KEYS[2]  cart:{token}
-- ARGV     session
-- result   1, or 0 when there is no such session

if redis.call("HEXISTS", KEYS[1], ARGV[1]) == 0 then
  return 0
end
redis.call("UNLINK", KEYS[2])
return 1
