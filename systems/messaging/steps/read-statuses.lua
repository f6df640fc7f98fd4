-- Statuses of several users, in one go (MSG-10). One that is no hash hides no other.
--
-- KEYS     n × St:{user}
-- ARGV     n
-- result   for each its fields and values by turns: none when he is offline; nil when
--          something else is there

local statuses = {}
for i = 1, #KEYS do
  local status = redis.pcall("HGETALL", KEYS[i])
  statuses[i] = not status.err and status
end
return statuses
