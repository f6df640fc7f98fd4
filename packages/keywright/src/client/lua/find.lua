-- From a unique index to its record, in one round trip. Reads only; the record's key
-- follows from what the index holds, so it cannot be declared.
--
-- KEYS[1]  the index key
-- ARGV     head and tail of the record's key, the command that reads a record, "1" when ids
--          are in quotes
-- result   { id, record }, or false

-- include unquote

local id = redis.call("GET", KEYS[1])
if not id then
  return false
end
if ARGV[4] == "1" then
  id = unquote(id)
end
return { id, redis.call(ARGV[3], ARGV[1] .. id .. ARGV[2]) }
