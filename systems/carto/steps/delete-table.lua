-- Removes a table's metadata.
--
-- KEYS[1]  rails:{database}:{table}
-- ARGV     the id of the user whose it has to be, or ""
-- result   1; 0 when there is no such table; -1 when it is another user's

if ARGV[1] ~= "" and redis.call("EXISTS", KEYS[1]) == 1 and redis.call("HGET", KEYS[1], "user_id") ~= ARGV[1] then
  return -1
end
return redis.call("UNLINK", KEYS[1])
