-- A writer is about to change the source: deletes the cached values; running loads are
-- discarded, and no load starts until the writer is done or has given up.
--
-- KEYS[1]  the lease of who loads
-- KEYS[2]  the writers, by when they give up
-- KEYS[3…] what is cached
-- ARGV[1]  the writer's token
-- ARGV[2]  how long it may take, in milliseconds

-- include needs

-- include now-ms

local now = nowMs()
local left = redis.call("PTTL", KEYS[2])
local untilWhen = string.format("%.0f", now + tonumber(ARGV[2]))

-- A hold without a deadline, or that the writer cannot end, would keep everybody from storing.
needs("ZADD", KEYS[2], untilWhen, ARGV[1])
needs("PEXPIRE", KEYS[2], ARGV[2])
needs("ZREM", KEYS[2], ARGV[1])
redis.call("UNLINK", KEYS[1], unpack(KEYS, 3))
redis.call("ZADD", KEYS[2], untilWhen, ARGV[1])
if left < tonumber(ARGV[2]) then
  redis.call("PEXPIRE", KEYS[2], ARGV[2])
end
