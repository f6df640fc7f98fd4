-- Which of these access tokens still are good (MSG-31): a stream of events ends with its
-- token.
--
-- KEYS     TokensKeys, n × AccTok
-- ARGV     n; n, then the n tokens
-- result   1 or 0 for each

-- include named
local live = {}
for i = 1, tonumber(ARGV[1]) do
  local key = KEYS[1 + i]
  local is_live = redis.call("HGET", KEYS[1], ARGV[2 + i]) == named(key) and redis.call("EXISTS", key) == 1
  live[i] = is_live and 1 or 0
end
return live
