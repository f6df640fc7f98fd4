-- Carries out commands on one key: once, however often the call is sent, and where it has
-- a family, only when that is loaded, leaving the family's deadline where it is. A family
-- that does not exist is not started: it would be incomplete.
--
-- KEYS[1]  the key that is written
-- KEYS[2…] where it has a family: if one of these exists, the family is loaded
-- KEYS[n]  the last one, unless ARGV[1] is "0": where the result is remembered, in the
--          same slot
-- ARGV[1]  how long the result is remembered, in milliseconds; "0": it is not
-- ARGV[2…] the commands, each as: number of words, words … ; the first word after
--          the command's name represents KEYS[1] and is left out
-- result   the reply of the first command, the same on every repetition; false when the
--          family is not loaded. A whole number near 2^53 or beyond comes as text: a
--          number of Lua, or some clients, would round it.

-- include needs

-- A little less than 2^53: some clients round before that.
local EXACT = 9000000000000000
-- The largest number of Lua that PEXPIREAT takes.
local LATEST = 9223372036854774784

local memory = ARGV[1] ~= "0" and KEYS[#KEYS]
if memory then
  local remembered = redis.call("GET", memory)
  if remembered then
    return cmsgpack.unpack(remembered)[1]
  end
end

local deadline = 0
for i = 2, memory and #KEYS - 1 or #KEYS do
  deadline = redis.call("PEXPIRETIME", KEYS[i])
  if deadline ~= -2 then
    break
  end
end

-- INCRBY and HINCRBY: the reply is rounded, what is stored is not. A user may be allowed to write
-- a key but not to read it. The change is then made, and the result is "" (unknown).
local function exact(reply, words)
  if type(reply) ~= "number" or (reply < EXACT and reply > -EXACT) then
    return reply
  end
  local text = reply
  if words[1] == "INCRBY" then
    text = redis.pcall("GET", KEYS[1])
  elseif words[1] == "HINCRBY" then
    text = redis.pcall("HGET", KEYS[1], words[3])
  end
  return type(text) == "table" and "" or text
end

if deadline == -2 then
  if memory then
    redis.call("SET", memory, cmsgpack.pack({ false }), "PX", ARGV[1])
  end
  return false
end

-- Checks the later commands before running the first: a repeated call would run it again.
local commands = {}
local at = 2
while at <= #ARGV do
  local count = tonumber(ARGV[at])
  local words = { ARGV[at + 1], KEYS[1] }
  for i = 2, count do
    words[#words + 1] = ARGV[at + i]
  end
  if at > 2 then
    needs(unpack(words))
  end
  commands[#commands + 1] = words
  at = at + count + 1
end
if deadline > 0 then
  needs("PEXPIREAT", KEYS[1], "0")
end
if memory then
  needs("SET", memory, "", "PX", ARGV[1])
end

local first
for i = 1, #commands do
  local reply = redis.call(unpack(commands[i]))
  if i == 1 then
    first = exact(type(reply) == "table" and reply.ok or reply, commands[i])
  end
end
if deadline > 0 then
  -- As a number it would be written as 1.8e+18, and refused after everything else is done.
  redis.call("PEXPIREAT", KEYS[1], string.format("%.0f", math.min(deadline, LATEST)))
end
if memory then
  redis.call("SET", memory, cmsgpack.pack({ first }), "PX", ARGV[1])
end
return first
