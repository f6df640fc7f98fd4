-- Saves a record that is a hash and has no index entries to move: compares and writes.
--
-- KEYS     the hash
-- ARGV     how many words were read, these words (field, value …), the words of HSET
-- result   short reply: 1, or as in apply.lua { 0, 1, false }

-- include holds

local count = tonumber(ARGV[1])
if not holds(redis.call("HGETALL", KEYS[1]), 2, count, 2) then
  return { 0, 1, false }
end
redis.call("HSET", KEYS[1], unpack(ARGV, 2 + count))
return 1
