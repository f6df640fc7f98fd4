-- Writes api_calls, the map views of the last days as a JSON array with today first, in
-- one HSET (CDB-18). A user who was deleted meanwhile is not recreated, and what is fresh
-- is left alone. `now` is the application's time: a clock that was set forward makes it
-- old. A day whose score is not a number of views counts as 0.
--
-- KEYS[1]  rails:users:{username}   KEYS[2]  user:{username}:mapviews:global
-- KEYS[3]  keywright:api-calls:{username}
-- ARGV     now and how long it is good for, in seconds; 1 to write it even so;
--          how many days, and the days as YYYYMMDD, today first
-- result   1 when it was written; 0 when it is fresh; -1 when there is no such user

local now, every, force = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3] == "1"

if redis.call("EXISTS", KEYS[1]) == 0 then
  return -1
end
local age = now - (tonumber(redis.call("GET", KEYS[3]) or "") or -math.huge)
if not force and age >= 0 and age < every and redis.call("HEXISTS", KEYS[1], "api_calls") == 1 then
  return 0
end
local calls = {}
for i = 5, #ARGV do
  local views = tonumber(redis.call("ZSCORE", KEYS[2], ARGV[i]) or 0)
  local isCount = views and views % 1 == 0 and views >= 0 and views <= 9007199254740991
  calls[#calls + 1] = string.format("%.0f", isCount and views or 0)
end
redis.call("HSET", KEYS[1], "api_calls", "[" .. table.concat(calls, ",") .. "]")
redis.call("SET", KEYS[3], ARGV[1], "EX", every)
return 1
