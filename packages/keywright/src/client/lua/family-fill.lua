-- Writes a whole family: what was there is replaced, and all keys get one deadline.
--
-- KEYS[1]  the lease of the loader
-- KEYS[2…] all keys of the family; in a cluster one more that is not there, see slot-tag.ts
-- ARGV[1]  the token of the loader, which must still have the lease; or "" to write
--          in any case, and to end loads under way
-- ARGV[2]  how long the family lives, in milliseconds
-- ARGV[3…] the commands, each as: number of its key (1 is the first of the family),
--          number of words, words … ; the first word after the command's name
--          represents the key and is left out
-- result   short reply: 1, or 0 when the loader's lease is gone: nothing was written
-- errors   of a command that the user may not run: nothing has changed; of one that is
--          refused for another reason: nothing of the family is there then

-- include needs

-- include now-ms

if ARGV[1] ~= "" and redis.call("GET", KEYS[1]) ~= ARGV[1] then
  return 0
end

-- Permissions are checked before the existing family is deleted; without a deadline the new one
-- would never expire.
local deadline = string.format("%.0f", nowMs() + tonumber(ARGV[2]))
for i = 2, #KEYS do
  needs("PEXPIREAT", KEYS[i], deadline)
end
local commands = {}
local at = 3
while at <= #ARGV do
  local count = tonumber(ARGV[at + 1])
  local words = { ARGV[at + 2], KEYS[1 + tonumber(ARGV[at])] }
  for i = 2, count do
    words[#words + 1] = ARGV[at + 1 + i]
  end
  needs(unpack(words))
  commands[#commands + 1] = words
  at = at + count + 2
end
redis.call("UNLINK", unpack(KEYS))

for i = 1, #commands do
  local reply = redis.pcall(unpack(commands[i]))
  if type(reply) == "table" and reply.err then
    -- Without the rest, and without a deadline, it would be mistaken for the whole forever.
    redis.call("UNLINK", unpack(KEYS))
    return reply
  end
end

for i = 2, #KEYS do
  redis.call("PEXPIREAT", KEYS[i], deadline)
end
return 1
