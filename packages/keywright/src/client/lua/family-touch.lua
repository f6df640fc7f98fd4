-- Moves the one deadline of a family, if it is loaded.
--
-- KEYS[1…] all keys of the family
-- ARGV[1]  how long it lives from now on, in milliseconds
-- ARGV[2]  the number of the key that says that the family is loaded; 0: any of them
-- result   short reply: 1, or 0 when it is not loaded

-- include now-ms

local marker = KEYS[tonumber(ARGV[2])]
local found = 0
if marker then
  found = redis.call("EXISTS", marker)
else
  found = redis.call("EXISTS", unpack(KEYS))
end
if found == 0 then
  return 0
end
local deadline = string.format("%.0f", nowMs() + tonumber(ARGV[1]))
for i = 1, #KEYS do
  redis.call("PEXPIREAT", KEYS[i], deadline)
end
return 1
