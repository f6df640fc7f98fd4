-- Writes all that there was of a user under another name, all or nothing (CDB-6). Sent again
-- after a crash, it finds that it was done by the user's id.
--
-- KEYS[1]  rails:users:{username}   KEYS[2]  keywright:api-calls:{username}
-- KEYS[3]  user:{username}:mapviews:global
--          then user:{username}:mapviews:stat_tag:{visualization} …
-- ARGV     how many visualizations, the user's id, how many keys, and each as DUMP printed
--          it, "" for what was not there; for how many milliseconds api_calls are fresh
-- result   1 when the user has this name; -1 when it is taken

if redis.call("HGET", KEYS[1], "id") == ARGV[2] then
  -- A write, so that a call that waits for replicas waits for what was written the first time.
  redis.call("HSET", KEYS[1], "id", ARGV[2])
  return 1
end
for i = 1, #KEYS do
  if i ~= 2 and redis.call("EXISTS", KEYS[i]) == 1 then
    return -1
  end
end
redis.call("UNLINK", KEYS[2])
local fresh_for = tonumber(ARGV[#ARGV])
-- Something that cannot be read is refused with the first key: nothing is written then.
for i = 1, #KEYS do
  if ARGV[3 + i] ~= "" and (i ~= 2 or fresh_for > 0) then
    redis.call("RESTORE", KEYS[i], i == 2 and fresh_for or 0, ARGV[3 + i])
  end
end
return 1
