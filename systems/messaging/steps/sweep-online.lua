-- Which of these users have a status; the others leave OnSub (MSG-11). Looking and
-- removing is one step, so that a login between the two cannot be undone (MSG-12).
--
-- KEYS[1]  OnSub, then n × St:{user}
-- ARGV     n; n, then the n users
-- result   those who are online

local live = {}
for i = 1, tonumber(ARGV[1]) do
  if redis.call("EXISTS", KEYS[1 + i]) == 1 then
    live[#live + 1] = ARGV[2 + i]
  else
    redis.call("SREM", KEYS[1], ARGV[2 + i])
  end
end
return live
