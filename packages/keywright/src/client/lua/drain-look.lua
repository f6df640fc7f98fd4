-- What of a shard may not be in the target yet, at one moment. Reads only.
--
-- KEYS[1]  what was added up   KEYS[2]  the batch that is out   KEYS[3]  its note
-- ARGV[1]  the kind: zset, map or counter
-- result   { the number of the last batch, { element, amount, … } that were added up, { … } of the batch that is out }

local function elements(key)
  if ARGV[1] == "zset" then
    return redis.call("ZRANGE", key, 0, -1, "WITHSCORES")
  elseif ARGV[1] == "map" then
    return redis.call("HGETALL", key)
  end
  local value = redis.call("GET", key)
  return value and { "", value } or {}
end

return { redis.call("HGET", KEYS[3], "number") or "0", elements(KEYS[1]), elements(KEYS[2]) }
