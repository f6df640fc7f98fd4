-- Takes a row that is due, so that one refresher loads it and no other (SHOP-12, 14).
-- A row without a delay, or with one of 0 or less, is dropped instead.
--
-- KEYS[1]  delay:   KEYS[2]  schedule:   KEYS[3]  inv:{row}
-- ARGV     row, the time up to which rows are due, now
-- result   when it is due next; "" when it was dropped; nil when it is not due any more

local row, due, now = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local at = redis.call("ZSCORE", KEYS[2], row)
if not at or tonumber(at) > due then
  return false
end
local delay = tonumber(redis.call("ZSCORE", KEYS[1], row) or 0)
if delay <= 0 then
  redis.call("ZREM", KEYS[1], row)
  redis.call("ZREM", KEYS[2], row)
  redis.call("DEL", KEYS[3])
  return ""
end
redis.call("ZADD", KEYS[2], string.format("%.17g", now + delay), row)
return redis.call("ZSCORE", KEYS[2], row)
