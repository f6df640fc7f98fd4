-- All that there is of a marked user, as DUMP prints it.
--
-- KEYS[1]  rails:users:{username}   KEYS[2]  keywright:moving:{username}
-- KEYS[3]  keywright:api-calls:{username}   KEYS[4]  user:{username}:mapviews:global
--          then user:{username}:mapviews:stat_tag:{visualization} …
-- ARGV     how many visualizations, the user's id, the new name
-- result   for how many milliseconds api_calls are still fresh; and the record, when
--          api_calls were written, all views, and those of each visualization; nil for what
--          is not there, and instead of all when the user is not being renamed to that name

if redis.call("GET", KEYS[2]) ~= ARGV[2] .. " " .. ARGV[3] or redis.call("HGET", KEYS[1], "id") ~= ARGV[2] then
  return false
end
local packed = { redis.call("DUMP", KEYS[1]) }
for i = 3, #KEYS do
  packed[i - 1] = redis.call("DUMP", KEYS[i])
end
return { redis.call("PTTL", KEYS[3]), packed }
