-- A page of the map of tokens: fields whose token has expired are removed (MSG-6). That
-- a token is gone is seen in the same step that removes its field, so that one just
-- made is never lost. Tokens are only looked at, by the keys that the map names.
--
-- KEYS[1]  TokensKeys
-- ARGV     cursor, about how many fields a page has
-- result   the next cursor ("0": that was the last page), how many were removed

local page = redis.call("HSCAN", KEYS[1], ARGV[1], "COUNT", ARGV[2])
local fields = page[2]
local removed = 0
for i = 1, #fields, 2 do
  if redis.call("EXISTS", fields[i + 1]) == 0 then
    removed = removed + redis.call("HDEL", KEYS[1], fields[i])
  end
end
return { page[1], removed }
