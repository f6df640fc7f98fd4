-- Stores a row as it was loaded, if it is still to be cached: otherwise somebody ended
-- its caching meanwhile, and the copy would stay forever (SHOP-12).
--
-- KEYS[1]  delay:   KEYS[2]  inv:{row}
-- ARGV     row, its JSON
-- result   1, or 0 when it is not cached any more

local delay = redis.call("ZSCORE", KEYS[1], ARGV[1])
if not delay or tonumber(delay) <= 0 then
  return 0
end
redis.call("SET", KEYS[2], ARGV[2])
return 1
