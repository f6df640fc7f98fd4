-- Decides who loads what is missing. One caller gets the lease; without it, what was
-- loaded is not stored. While a writer changes the source, nobody gets it.
--
-- KEYS[1]  the lease
-- KEYS[2]  the writers, by when they give up
-- KEYS[3…] if one of these exists, it is loaded
-- ARGV[1]  the caller's token
-- ARGV[2]  how long the lease lasts, in milliseconds
-- result   short reply: 1 the caller has it, 0 another has it, 2 it is loaded, -1 a writer is at work

-- include now-ms

for i = 3, #KEYS do
  if redis.call("EXISTS", KEYS[i]) == 1 then
    return 2
  end
end
-- A lease and the list of writers always have a TTL: a key without one is not ours, and would block
-- loading forever.
for i = 1, 2 do
  if redis.call("PTTL", KEYS[i]) == -1 then
    redis.call("UNLINK", KEYS[i])
  end
end
redis.call("ZREMRANGEBYSCORE", KEYS[2], "-inf", nowMs())
if redis.call("EXISTS", KEYS[2]) == 1 then
  return -1
end
if redis.call("SET", KEYS[1], ARGV[1], "NX", "PX", ARGV[2]) then
  return 1
end
return redis.call("GET", KEYS[1]) == ARGV[1] and 1 or 0
