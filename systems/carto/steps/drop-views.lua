-- Removes map views that came after a deletion had looked for them, unless somebody has
-- the name again.
--
-- KEYS[1]  rails:users:{username}   KEYS[2]  user:{username}:mapviews:global
--          then user:{username}:mapviews:stat_tag:{visualization} …
-- ARGV     how many keys of visualizations
-- result   how many were removed

if redis.call("EXISTS", KEYS[1]) == 1 then
  return 0
end
local removed = 0
for i = 2, #KEYS do
  removed = removed + redis.call("UNLINK", KEYS[i])
end
return removed
