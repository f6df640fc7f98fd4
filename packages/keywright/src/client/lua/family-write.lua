-- Changes one key of a family that is loaded, and leaves the family's deadline
-- where it is. A family that is not there is not begun: it would be incomplete.
--
-- KEYS[1]  the key that is written
-- KEYS[2…] if one of these exists, the family is loaded
-- ARGV     the commands, each as: number of words, words … ; the first word after
--          the command's name stands for KEYS[1] and is left out
-- result   the reply of the first command; false when the family is not loaded. A
--          whole number beyond 2^53 comes as text: a number of Lua would round it.

local EXACT = 9007199254740992

-- INCRBY and HINCRBY: the reply is rounded, what is stored is not.
local function exact(reply, words)
  if type(reply) ~= "number" or (reply < EXACT and reply > -EXACT) then
    return reply
  elseif words[1] == "INCRBY" then
    return redis.call("GET", KEYS[1])
  elseif words[1] == "HINCRBY" then
    return redis.call("HGET", KEYS[1], words[3])
  end
  return reply
end

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

local first
local at = 1
while at <= #ARGV do
  local count = tonumber(ARGV[at])
  local words = { ARGV[at + 1], KEYS[1] }
  for i = 2, count do
    words[#words + 1] = ARGV[at + i]
  end
  local reply = redis.call(unpack(words))
  if at == 1 then
    first = exact(reply, words)
  end
  at = at + count + 1
end

if deadline > 0 then
  redis.call("PEXPIREAT", KEYS[1], deadline)
end
return first
