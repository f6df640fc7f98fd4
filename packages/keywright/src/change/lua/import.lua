-- Writes keys one after another, each whole or not at all.
--
-- KEYS     one for each key; in a cluster one more that is not there, see slot-tag.ts
-- ARGV     for each key: o (overwrite), s (only where there is no key) or c (a counter,
--          which is never lowered); its deadline or ""; number of commands; for each
--          command: name, number of words … The key follows the name, of
--          "XGROUP …" after its second word
-- result   short: a digit for each key: 1 written, 0 something is there, or a counter that is not lower

local at, outcomes = 1, {}

local function run(key, name, first, last)
  local sub = string.match(name, "^XGROUP (.+)$")
  if sub then
    redis.call("XGROUP", sub, key, unpack(ARGV, first, last))
  else
    redis.call(name, key, unpack(ARGV, first, last))
  end
end

for k, key in ipairs(KEYS) do
  if not ARGV[at] then
    break
  end
  local mode, deadline, commands = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
  at = at + 3
  local found = mode ~= "o" and redis.call("EXISTS", key) == 1
  if mode == "c" and found then
    local there, given = tonumber(redis.call("GET", key)), ARGV[at + 2]
    -- Lua also takes "nan", "inf" and "0x7f" for numbers: INCR does not.
    local is_number = #given <= 18 and string.find(given, "^%-?%d+$") ~= nil
    found = not is_number or (there ~= nil and there >= tonumber(given))
  end
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
  outcomes[k] = found and 0 or 1
end
return table.concat(outcomes)
