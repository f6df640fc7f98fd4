-- Drops a row that the source does not have (SHOP-13), unless it was scheduled again
-- since it was claimed.
--
-- KEYS[1]  delay:   KEYS[2]  schedule:   KEYS[3]  inv:{row}
-- ARGV     row, when its claim made it due next
-- result   1, or 0 when it was scheduled again

if redis.call("ZSCORE", KEYS[2], ARGV[1]) ~= ARGV[2] then
  return 0
end
redis.call("ZREM", KEYS[1], ARGV[1])
redis.call("ZREM", KEYS[2], ARGV[1])
redis.call("DEL", KEYS[3])
return 1
