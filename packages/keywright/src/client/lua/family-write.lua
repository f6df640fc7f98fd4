-- Changes one key of a family that is loaded, and leaves the family's deadline
-- where it is. A family that is not there is not begun: it would be incomplete.
--
-- KEYS[1]  the key that is written
-- KEYS[2…] if one of these exists, the family is loaded
-- ARGV     the commands, each as: number of words, words … ; the first word after
--          the command's name stands for KEYS[1] and is left out
-- result   the reply of the first command; false when the family is not loaded

local deadline = -2
for i = 2, #KEYS do
  deadline = redis.call("PEXPIRETIME", KEYS[i])
  if deadline ~= -2 then
    break
  end
end
if deadline == -2 then
  return false
end

local at = 1
local first
local started = false
while at <= #ARGV do
  local count = tonumber(ARGV[at])
  local words = { ARGV[at + 1], KEYS[1] }
  for i = 2, count do
    words[#words + 1] = ARGV[at + i]
  end
  local reply = redis.call(unpack(words))
  if not started then
    first = reply
    started = true
  end
  at = at + count + 1
end

if deadline > 0 then
  redis.call("PEXPIREAT", KEYS[1], deadline)
end
return first
