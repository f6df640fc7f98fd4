-- Saves a record that is a string: compares, moves its id between sets, and writes. Most
-- saves are no more than this; apply.lua does everything else.
--
-- KEYS     the record, the sets that its id enters, the sets that it leaves: 50 in all at most
-- ARGV     the id, how many sets it enters, the text that was read, the new text
-- result   1; or as in apply.lua { 0, 1, the text that was found }, { -1, position
--          of the key that should be a set }

local call, pcall = redis.call, redis.pcall
local id, last = ARGV[1], 1 + tonumber(ARGV[2])

local found = call("GET", KEYS[1])
if found ~= ARGV[3] then
  return { 0, 1, found }
end

-- Whether a key is a set is found out by trying; what was done before is undone. What was
-- done is kept in the bits of a number, since a table would cost as much as two commands.
local done, bit, name = 0, 1, "SADD"
for i = 2, #KEYS do
  if i > last then
    name = "SREM"
  end
  local reply = pcall(name, KEYS[i], id)
  if reply == 1 then
    done = done + bit
  elseif reply ~= 0 then
    for j = i - 1, 2, -1 do
      bit = bit / 2
      if done >= bit then
        done = done - bit
        call(j <= last and "SREM" or "SADD", KEYS[j], id)
      end
    end
    return string.sub(reply.err, 1, 9) == "WRONGTYPE" and { -1, i } or reply
  end
  bit = bit + bit
end
call("SET", KEYS[1], ARGV[4])
return 1
