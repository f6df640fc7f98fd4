-- Removes all that there is of a user under the old name; or, when they could not be given
-- the new one, removes the mark.
--
-- KEYS[1]  rails:users:{username}           KEYS[2]  keywright:moving:{username}
-- KEYS[3]  keywright:api-calls:{username}   KEYS[4]  user:{username}:mapviews:global
--          then user:{username}:mapviews:stat_tag:{visualization} …
-- ARGV     how many visualizations, the user's id, the new name, 1 when the user
--          has it
-- result   1, or 0 when the mark is not this one

local mark = redis.call("GET", KEYS[2])
if not mark then
  -- A write, so that a call that waits for replicas waits for what was removed the first time.
  redis.call("SET", KEYS[2], "")
  redis.call("UNLINK", KEYS[2])
end
if mark ~= ARGV[2] .. " " .. ARGV[3] then
  return 0
end
if ARGV[4] == "1" and redis.call("HGET", KEYS[1], "id") == ARGV[2] then
  -- Lua passes on no more than a few thousand words at once.
  for i = 1, #KEYS, 1000 do
    redis.call("UNLINK", unpack(KEYS, i, math.min(i + 999, #KEYS)))
  end
else
  redis.call("UNLINK", KEYS[2])
end
return 1
