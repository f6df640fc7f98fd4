-- Writes fields of a table's metadata in one HSET (CDB-8).
--
-- KEYS[1]  rails:{database}:{table}
-- ARGV     1 when it has to be there already; the id of the user whose it has to be if it
--          is there, or ""; how many words, then names and values of fields
-- result   1; 0 when there is no such table; -1 when it is another user's

local owner = redis.call("HGET", KEYS[1], "user_id")
if ARGV[1] == "1" and not owner and redis.call("EXISTS", KEYS[1]) == 0 then
  return 0
end
if ARGV[2] ~= "" and owner and owner ~= ARGV[2] then
  return -1
end
redis.call("HSET", KEYS[1], unpack(ARGV, 4))
return 1
