-- Writes a user's record, all fields at once (CDB-3). One that is there stays as it is.
--
-- KEYS[1]  rails:users:{username}
-- ARGV     id, database name, API key
-- result   1, or 0 when the name is taken

if redis.call("EXISTS", KEYS[1]) == 1 then
  return 0
end
redis.call("HSET", KEYS[1], "id", ARGV[1], "database_name", ARGV[2], "map_key", ARGV[3])
return 1
