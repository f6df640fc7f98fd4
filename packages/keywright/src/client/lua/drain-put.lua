-- Adds a batch of a shard to the target, unless the target has it already. It looks at
-- everything first: an amount that cannot be added leaves the whole batch where it is.
-- Also where there is nothing to add something is written, so that waiting for replicas
-- waits for what was added before.
--
-- KEYS[1]  the target   KEYS[2]  the last number of each shard
-- ARGV     the kind: zset, map or counter; the shard; the number; then element, amount, …
-- result   1, or 0 when the target has it already
-- errors   DRAIN.AMOUNT when an amount, or what it is added to, is not a number

local kind, shard, number = ARGV[1], ARGV[2], tonumber(ARGV[3])
local whole = "^%-?%d+$"

if number <= tonumber(redis.call("HGET", KEYS[2], shard) or 0) then
  redis.call("HSET", KEYS[2], shard, redis.call("HGET", KEYS[2], shard))
  return 0
end

local function before(element)
  if kind == "zset" then
    return redis.call("ZSCORE", KEYS[1], element) or "0"
  elseif kind == "map" then
    return redis.call("HGET", KEYS[1], element) or "0"
  end
  return redis.call("GET", KEYS[1]) or "0"
end

local function isNumber(text)
  return tonumber(text) ~= nil and not string.find(text, "[xXiInN%s]")
end

-- Only a score may be infinite, and only in the target; whole numbers have 64 bits.
local function fits(old, amount)
  if kind == "zset" and (old == "inf" or old == "-inf") then
    return isNumber(amount)
  end
  return isNumber(old) and isNumber(amount) and (kind == "zset" or math.abs(old + amount) < 9e18)
end

for i = 4, #ARGV, 2 do
  if not fits(before(ARGV[i]), ARGV[i + 1]) then
    return redis.error_reply("DRAIN.AMOUNT a number was expected, in the batch or in the target")
  end
end

for i = 4, #ARGV, 2 do
  local element, amount = ARGV[i], ARGV[i + 1]
  if kind == "zset" then
    redis.call("ZINCRBY", KEYS[1], amount, element)
  else
    local isWhole = string.find(amount, whole) and string.find(before(element), whole)
    if kind == "map" then
      redis.call(isWhole and "HINCRBY" or "HINCRBYFLOAT", KEYS[1], element, amount)
    else
      redis.call(isWhole and "INCRBY" or "INCRBYFLOAT", KEYS[1], amount)
    end
  end
end
redis.call("HSET", KEYS[2], shard, ARGV[3])
return 1
