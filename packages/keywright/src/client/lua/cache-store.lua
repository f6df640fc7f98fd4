-- Stores what was loaded, if the loader still has the lease and nobody has written
-- something else meanwhile.
--
-- KEYS[1]  the lease
-- KEYS[2]  the value
-- ARGV[1]  the loader's token
-- ARGV[2]  the value, encoded
-- ARGV[3]  how long it lives, in milliseconds; 0 forever
-- ARGV[4]  with a refresh, the value that it replaces; without, there must be none
-- result   short reply: 1, or 0 when it was not stored

if redis.call("GET", KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call("DEL", KEYS[1])
if redis.call("GET", KEYS[2]) ~= (ARGV[4] or false) then
  return 0
end
if ARGV[3] == "0" then
  redis.call("SET", KEYS[2], ARGV[2])
else
  redis.call("SET", KEYS[2], ARGV[2], "PX", ARGV[3])
end
return 1
