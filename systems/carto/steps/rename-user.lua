-- Moves a user's record and map views to another name, all or nothing (CDB-6). Sent
-- again after a crash, it finds that it was done by the user's id.
--
-- KEYS     pairs of old and new: rails:users:{username}, user:{username}:mapviews:global,
--          keywright:api-calls:{username}, then those of each visualization
-- ARGV     2, 2, 2, how many keys of visualizations, the user's id
-- result   1 when the user has the new name; 0 when there is no such user; -1 when the
--          new name is taken

local old, new, id = KEYS[1], KEYS[2], ARGV[5]

if redis.call("EXISTS", old) == 0 then
  return redis.call("HGET", new, "id") == id and 1 or 0
end
for i = 2, #KEYS, 2 do
  if redis.call("EXISTS", KEYS[i]) == 1 and i ~= 6 then
    return -1
  end
end
redis.call("UNLINK", KEYS[6])
for i = 1, #KEYS, 2 do
  if redis.call("EXISTS", KEYS[i]) == 1 then
    redis.call("RENAME", KEYS[i], KEYS[i + 1])
  end
end
return 1
