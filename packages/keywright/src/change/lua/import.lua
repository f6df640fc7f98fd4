-- Writes keys one after another, each whole or not at all.
--
-- KEYS     one for each key; in a cluster one more that is not there, see slot-tag.ts
-- ARGV     for each key: "overwrite", "skip" (only where there is no key) or "counter" (one that
--          exists is only raised, by the word of its command, and keeps its deadline); its
--          deadline or ""; number of commands; for each command: name, number of words …
--          The key follows the name, of "XGROUP …" after its second word
-- result   short reply: a digit for each key: 1 written, 0 something is there, or a counter that
--          is not lower

local at, outcomes = 1, {}

local function run(key, name, first, last)
  local sub = string.match(name, "^XGROUP (.+)$")
  if sub then
    redis.call("XGROUP", sub, key, unpack(ARGV, first, last))
  else
    redis.call(name, key, unpack(ARGV, first, last))
  end
end

-- Raises a counter that exists, to a number that INCR takes and that leaves enough ids
-- (highest-counter.ts). Lua also takes "nan", "inf", "0x7f" and "007" for numbers.
local function raise(key, given)
  local there = tonumber(redis.call("GET", key))
  local is_number = given == "0" or string.find(given, "^%-?[1-9]%d*$") ~= nil
  if not is_number or tonumber(given) > 9007194959772704 or (there and there >= tonumber(given)) then
    return 0
  end
  redis.call("SET", key, given, "KEEPTTL")
  return 1
end

for k, key in ipairs(KEYS) do
  if not ARGV[at] then
    break
  end
  local mode, deadline, commands = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
  at = at + 3
  local found = mode ~= "overwrite" and redis.call("EXISTS", key) == 1
  outcomes[k] = not found and 1 or mode == "counter" and raise(key, ARGV[at + 2]) or 0
  if not found then
    redis.call("UNLINK", key)
  end
  for _ = 1, commands do
    local name, count = ARGV[at], tonumber(ARGV[at + 1])
    if not found then
      run(key, name, at + 2, at + 1 + count)
    end
    at = at + 2 + count
  end
  if not found and deadline ~= "" then
    redis.call("PEXPIREAT", key, deadline)
  end
end
return table.concat(outcomes)
