-- What a token says, found by way of the map (MSG-4). The token's own key is known from
-- the map only, and is read here, never written: one round trip instead of two. A field
-- whose token is gone is dropped in passing (MSG-6).
--
-- KEYS[1]  TokensKeys
-- ARGV     token
-- result   its key, then tenant, account, service, user and access_token, each nil when it
--          is not there; nil when there is no such token

local key = redis.call("HGET", KEYS[1], ARGV[1])
if not key then
  return false
end
local said = redis.call("HMGET", key, "tenant", "account", "service", "user", "access_token")
if not said[4] and redis.call("EXISTS", key) == 0 then
  redis.call("HDEL", KEYS[1], ARGV[1])
  return false
end
return { key, unpack(said) }
