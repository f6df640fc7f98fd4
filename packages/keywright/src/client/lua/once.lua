-- Carries out commands on one key once, however often the call is sent.
--
-- KEYS[1]  the key that is written
-- KEYS[2]  where the result is remembered, in the same slot
-- ARGV[1]  how long it is remembered, in milliseconds
-- ARGV[2…] the commands, each as: number of words, words … ; the first word after
--          the command's name stands for KEYS[1] and is left out
-- result   the reply of the first command; the same on every repetition

local remembered = redis.call("GET", KEYS[2])
if remembered then
  return cmsgpack.unpack(remembered)[1]
end

local at = 2
local first
local started = false
while at <= #ARGV do
  local count = tonumber(ARGV[at])
  local words = { ARGV[at + 1], KEYS[1] }
  for i = 2, count do
    words[#words + 1] = ARGV[at + i]
  end
  local reply = redis.call(unpack(words))
  if type(reply) == "table" and reply.ok then
    reply = reply.ok
  end
  if not started then
    first = reply
    started = true
  end
  at = at + count + 1
end

redis.call("SET", KEYS[2], cmsgpack.pack({ first }), "PX", ARGV[1])
return first
