-- Counts one more of each, in windows that begin with the first.
--
-- KEYS     counters
-- ARGV     milliseconds of a window
-- result   the counts after

local counts = {}
for i, key in ipairs(KEYS) do
  counts[i] = redis.call("INCR", key)
  if redis.call("PTTL", key) < 0 then
    redis.call("PEXPIRE", key, ARGV[1])
  end
end
return counts
