-- What a token says, found by way of the map (MSG-4). The token's own key is known from
-- the map only, and is read here, never written: one round trip instead of two. A field
-- whose token is gone is dropped in passing (MSG-6).
--
-- KEYS[1]  TokensKeys
-- ARGV     token
-- result   its key, the milliseconds it has left (-1: no end), its fields and values by
--          turns; nil when there is no such token

local key = redis.call("HGET", KEYS[1], ARGV[1])
if not key then
  return false
end
local grant = redis.call("HGETALL", key)
if #grant == 0 then
  redis.call("HDEL", KEYS[1], ARGV[1])
  return false
end
return { key, redis.call("PTTL", key), grant }
