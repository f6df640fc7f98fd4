-- The elements of a shard and their amounts: { element, amount, … }.
local function elements(key)
  if ARGV[1] == "zset" then
    return redis.call("ZRANGE", key, 0, -1, "WITHSCORES")
  elseif ARGV[1] == "map" then
    return redis.call("HGETALL", key)
  end
  local value = redis.call("GET", key)
  return value and { "", value } or {}
end
