-- Adds the days that posts count for (REC-C10). A stored value may be shorter than there
-- are categories: the rest is 0. So is anything that is not a number; the others keep their
-- positions.
--
-- key         user_contribution
-- days        (user, category)…
local function add_days(key, days, categories)
  local known, order = {}, {}
  for i = 1, #days, 2 do
    local user, category = days[i], days[i + 1] + 1
    local spent = known[user]
    if not spent then
      spent = {}
      for text in string.gmatch((redis.call("HGET", key, user) or "") .. ",", "([^,]*),") do
        spent[#spent + 1] = tonumber(string.match(text, "^%s*(%d+)%s*$") or 0)
      end
      for missing = #spent + 1, categories do
        spent[missing] = 0
      end
      known[user] = spent
      order[#order + 1] = user
    end
    spent[category] = spent[category] + 1
  end
  local written = {}
  for _, user in ipairs(order) do
    written[#written + 1] = user
    written[#written + 1] = table.concat(known[user], ",")
  end
  for first = 1, #written, 1000 do
    redis.call("HSET", key, unpack(written, first, math.min(first + 999, #written)))
  end
end
