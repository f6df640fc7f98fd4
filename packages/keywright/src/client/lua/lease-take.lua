-- Takes a lease, if nobody has it.
--
-- KEYS[1]  the lease
-- ARGV[1]  the taker's token
-- ARGV[2]  how long it lasts, in milliseconds
-- ARGV[3]  "1" takes it from the holder
-- result   short reply: 0 when it is the taker's; else the milliseconds that it is still another's

local left = redis.call("PTTL", KEYS[1])
if ARGV[3] ~= "1" and left > 0 and redis.call("GET", KEYS[1]) ~= ARGV[1] then
  return left
end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
return 0
