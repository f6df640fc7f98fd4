-- Counts queries of a user and the time that they took together (CDB-11). Every counter
-- is looked at first: one that holds something else, or a number that cannot be
-- incremented, stops the whole step, not half of it.
--
-- KEYS[1]  rails:users:{userId}:queries:total     KEYS[2]  …:{day}        KEYS[3]  …:{month}
-- KEYS[4]  …:{month}:time                         KEYS[5]  …:{day}:time
--          then …:{month}:{verb} for each kind that occurs
-- ARGV     n kinds, how many queries, seconds or "", n, then how many of each kind

local kinds, queries, seconds = tonumber(ARGV[1]), ARGV[2], ARGV[3]

for i, found in ipairs(redis.call("MGET", unpack(KEYS))) do
  local whole = i ~= 4 and i ~= 5
  if found then
    local number = tonumber(found)
    local fits = number and number >= 0 and number < 9007199254740000
    if not fits or whole and not string.match(found, "^%d+$") then
      return redis.error_reply("COUNTER.CORRUPT " .. KEYS[i] .. " is not a counter")
    end
  elseif redis.call("EXISTS", KEYS[i]) == 1 then
    return redis.error_reply("COUNTER.CORRUPT " .. KEYS[i] .. " is not a counter")
  end
end

if seconds ~= "" then
  redis.call("INCRBYFLOAT", KEYS[4], seconds)
  redis.call("INCRBYFLOAT", KEYS[5], seconds)
end
for i = 1, 3 do
  redis.call("INCRBY", KEYS[i], queries)
end
for i = 1, kinds do
  redis.call("INCRBY", KEYS[5 + i], ARGV[4 + i])
end
