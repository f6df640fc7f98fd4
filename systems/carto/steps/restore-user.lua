-- Writes what the catalogue knows about a user (CDB-21). What only Redis knows stays, and
-- so does the time of a later visit.
--
-- KEYS[1]  rails:users:{username}
-- ARGV     id, database name, API key, last_active_time or ""

redis.call("HSET", KEYS[1], "id", ARGV[1], "database_name", ARGV[2], "map_key", ARGV[3])
if ARGV[4] ~= "" then
  redis.call("HSETNX", KEYS[1], "last_active_time", ARGV[4])
end
