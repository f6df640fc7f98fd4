-- Who has whom as a contact: they are notified of one another's presence (MSG-31).
--
-- KEYS     n × C:{user}
-- ARGV     n; m, then m people as contacts
-- result   n × m: 1 or 0, -1 where the list is not stored

local found = {}
for i = 1, tonumber(ARGV[1]) do
  local is_stored = redis.call("EXISTS", KEYS[i]) == 1
  for j = 1, tonumber(ARGV[2]) do
    local has = is_stored and redis.call("LPOS", KEYS[i], ARGV[2 + j])
    found[#found + 1] = not is_stored and -1 or has and 1 or 0
  end
end
return found
