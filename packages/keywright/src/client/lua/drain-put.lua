-- Adds a batch of a shard to the target, unless the target has it already. Checks everything
-- first: an amount that cannot be added leaves the whole batch where it is. Even if there is
-- nothing to add, it writes, so that WAIT covers the earlier writes.
--
-- KEYS[1]  the target   KEYS[2]  the last number of each shard
-- ARGV     the kind: zset, map or counter; the shard; the number; then element, amount, …
-- result   short reply: 1, or 0 when the target has it already
-- errors   DRAIN.AMOUNT when an amount, or what it is added to, is not a number
--          DRAIN.NUMBER when the target's number of the shard is not a whole number

-- include needs

local kind, shard, number = ARGV[1], ARGV[2], tonumber(ARGV[3])

-- With a larger number, every later batch would look already added, and be lost.
local last = redis.call("HGET", KEYS[2], shard) or "0"
if not string.find(last, "^%d+$") or #last > 15 then
  return redis.error_reply("DRAIN.NUMBER the number of a batch in the target is not a whole number")
end
if number <= tonumber(last) then
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

-- As the commands spell whole numbers: those below refuse "-0" and "007".
local function isWhole(text)
  return text == "0" or string.find(text, "^%-?[1-9]%d*$")
end

-- tonumber turns an underflow into 0, which the commands below refuse, and stops at a NUL.
local function isNumber(text)
  local value = tonumber(text)
  if value == nil or not string.find(text, "^[%d.eE+-]+$") or #text > 300 then
    return false
  end
  return value ~= 0 or not string.find(text, "^[^eE]*[1-9]")
end

-- Only a score may be infinite, and only in the target; whole numbers have 64 bits.
local function fits(old, amount)
  if kind == "zset" and (old == "inf" or old == "-inf") then
    return isNumber(amount)
  end
  return isNumber(old) and isNumber(amount) and (kind == "zset" or math.abs(old + amount) < 9e18)
end

local function commandFor(old, amount)
  if kind == "zset" then
    return "ZINCRBY"
  end
  local whole = isWhole(old) and isWhole(amount)
  return (kind == "map" and "HINCRBY" or "INCRBY") .. (whole and "" or "FLOAT")
end

local commands, used = {}, {}
for i = 4, #ARGV, 2 do
  local old, amount = before(ARGV[i]), ARGV[i + 1]
  if not fits(old, amount) then
    return redis.error_reply("DRAIN.AMOUNT a number was expected, in the batch or in the target")
  end
  commands[i] = commandFor(old, amount)
  used[commands[i]] = true
end

-- If only part of a batch were added, or its number not stored, it would be added twice.
needs("HSET", KEYS[2], shard, ARGV[3])
for command in pairs(used) do
  needs(command, KEYS[1], "0", "0")
end
for i = 4, #ARGV, 2 do
  local element, amount = ARGV[i], ARGV[i + 1]
  if kind == "zset" then
    redis.call("ZINCRBY", KEYS[1], amount, element)
  elseif kind == "map" then
    redis.call(commands[i], KEYS[1], element, amount)
  else
    redis.call(commands[i], KEYS[1], amount)
  end
end
redis.call("HSET", KEYS[2], shard, ARGV[3])
return 1
