-- Moves a table's metadata to another name (CDB-8): the old one is gone and the new one
-- complete, or both are as they were.
--
-- KEYS[1]  rails:{database}:{old}   KEYS[2]  rails:{database}:{new}
-- ARGV     2, the id of the user whose it has to be, or ""
-- result   1; 0 when there is no such table; -1 when it is another user's; -2 when the
--          new name is taken

if redis.call("EXISTS", KEYS[1]) == 0 then
  return 0
end
if ARGV[2] ~= "" and redis.call("HGET", KEYS[1], "user_id") ~= ARGV[2] then
  return -1
end
if redis.call("RENAMENX", KEYS[1], KEYS[2]) == 0 then
  return -2
end
return 1
