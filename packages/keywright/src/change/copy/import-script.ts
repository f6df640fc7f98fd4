/* The scripts that write imported keys. */

import { scriptOf } from "../../driver/script.ts"

export const importScript = scriptOf(
  "import",
  `-- Writes keys one after another, each whole or not at all.
--
-- KEYS     one for each key
-- ARGV     for each key: o (over what is there), s (only where nothing is) or c (a counter,
--          which is never lowered); its deadline or ""; number of commands; for each
--          command: name, number of words, words … The key stands after the name, of
--          "XGROUP …" after its second word
-- result   a digit for each key: 1 written, 0 something is there, or a counter that is not lower

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
  local mode, deadline, commands = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
  at = at + 3
  local found = mode ~= "o" and redis.call("EXISTS", key) == 1
  if mode == "c" and found then
    local number = tonumber(redis.call("GET", key))
    found = number ~= nil and number >= (tonumber(ARGV[at + 2]) or 0)
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
`,
)

export const importMoveScript = scriptOf(
  "import-move",
  `-- Puts a key that was written in parts into its place.
--
-- KEYS[1]  where it was written
-- KEYS[2]  its place
-- ARGV[1]  o (over what is there) or s (only where nothing is)
-- ARGV[2]  its deadline or ""
-- result   1, or 0 when something is there

if ARGV[1] ~= "o" and redis.call("EXISTS", KEYS[2]) == 1 then
  redis.call("UNLINK", KEYS[1])
  return 0
end
redis.call("UNLINK", KEYS[2])
redis.call("RENAME", KEYS[1], KEYS[2])
if ARGV[2] == "" then
  redis.call("PERSIST", KEYS[2])
else
  redis.call("PEXPIREAT", KEYS[2], ARGV[2])
end
return 1
`,
)
