-- The days that a batch of new posts adds to the users of one shard.
--
-- KEYS[1]  user_contribution of the shard
-- ARGV     how many categories, n, n × "user,category"

-- include add-days
local days = {}
for i = 1, tonumber(ARGV[2]) do
  local user, category = string.match(ARGV[2 + i], "^(%d+),(%d+)$")
  days[2 * i - 1], days[2 * i] = user, tonumber(category)
end
add_days(KEYS[1], days, tonumber(ARGV[1]))
