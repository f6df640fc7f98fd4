-- Extends a lease, if it is still the holder's. Never shortens it.
--
-- KEYS[1]  the lease
-- ARGV[1]  the holder's token
-- ARGV[2]  how long it lasts from now on at least, in milliseconds
-- result   short reply: 1, or 0 when it is not the holder's any more

if redis.call("GET", KEYS[1]) ~= ARGV[1] then
  return 0
end
if redis.call("PTTL", KEYS[1]) < tonumber(ARGV[2]) then
  redis.call("PEXPIRE", KEYS[1], ARGV[2])
end
return 1
