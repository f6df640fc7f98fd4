-- Fields of the map whose token has expired are removed (MSG-6): sweep-tokens.lua for
-- clusters, where a script is given all keys that it touches. That a token is gone is seen in
-- the same step that removes its field, so that one just made is never lost.
--
-- KEYS     TokensKeys, n × RefTok, m × AccTok
-- ARGV     n, m; n, then the n refresh tokens; m, then the m access tokens
-- result   how many were removed

-- include named
local map = KEYS[1]
local n, m = tonumber(ARGV[1]), tonumber(ARGV[2])
local removed = 0

local function drop(key, token)
  if redis.call("HGET", map, token) == named(key) and redis.call("EXISTS", key) == 0 then
    removed = removed + redis.call("HDEL", map, token)
  end
end
for i = 1, n do
  drop(KEYS[1 + i], ARGV[3 + i])
end
for i = 1, m do
  drop(KEYS[1 + n + i], ARGV[4 + n + i])
end
return removed
