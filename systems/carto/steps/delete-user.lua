-- Removes a user's map views and, with them, the record by which they are found: the last of
-- their keys (CDB-2, CDB-7). Somebody else who has the name by now keeps it.
--
-- KEYS[1]  rails:users:{username}             KEYS[2]  user:{username}:mapviews:global
-- KEYS[3]  keywright:api-calls:{username}     then user:{username}:mapviews:stat_tag:{visualization} …
-- ARGV     how many keys of visualizations, the user's id, or "" when nobody knows it
-- result   1, or 0 when there was no such user

local id = ARGV[2]

local found = redis.call("HGET", KEYS[1], "id")
if id ~= "" and found and found ~= id then
  return 0
end
for i = #KEYS, 2, -1 do
  redis.call("UNLINK", KEYS[i])
end
return redis.call("UNLINK", KEYS[1])
