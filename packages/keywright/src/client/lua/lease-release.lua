-- Gives a lease back, if it is still the holder's.
--
-- KEYS[1]  the lease
-- ARGV[1]  the holder's token
-- result   short reply: 1, or 0 when it was not the holder's any more

if redis.call("GET", KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call("DEL", KEYS[1])
