-- Saves a record that is a string: compares, moves its id between sets, and writes. Most
-- saves are no more than this; apply.lua does everything else.
--
-- KEYS     the record, the sets that its id enters, the sets that it leaves
-- ARGV     the id, how many sets it enters, the text that was read, the new text
-- result   1; or as in apply.lua { 0, 1, the text that was found }, { -1, position
--          of the key that should be a set }, { -4, error }
--
-- Whether a key is a set, and whether the user may write it, is found out by trying, and what
-- was done before is undone. One case cannot be undone: if a damaged index already has the id in a
-- set that it is about to enter, a failed save may remove it there.

local call, pcall, keys, id = redis.call, redis.pcall, KEYS, ARGV[1]
local entered, last = 1 + tonumber(ARGV[2]), #keys

local found = call("GET", keys[1])
if found ~= ARGV[3] then
  return { 0, 1, found }
end

-- Most ids leave one set for each that they enter: SMOVE does both at once, and a save of three
-- indexed fields takes Redis a tenth less time. The first set is still entered by SADD, because
-- a full server refuses SADD but not SMOVE: so it refuses before anything has moved.
local swaps = last - entered < entered - 1 and last - entered or entered - 1
local added, moved = nil, 0
if swaps > 0 then
  added = pcall("SADD", keys[2], id)
  if added == 0 or added == 1 then
    while moved < swaps and pcall("SMOVE", keys[entered + 1 + moved], keys[2 + moved], id) == 1 do
      moved = moved + 1
    end
  end
end

-- The others: without a counterpart, or after one that did not have the id.
local reply, at, unchanged
if 1 + moved + moved < last then -- some keys are left
  for i = 2 + moved, last do
    if i <= entered or i > entered + moved then
      reply = pcall(i <= entered and "SADD" or "SREM", keys[i], id)
      if reply == 0 then
        unchanged = unchanged or {}
        unchanged[i] = true
      elseif reply ~= 1 then
        at = i
        break
      end
    end
  end
end
if not at then
  reply = pcall("SET", keys[1], ARGV[4])
  if not reply.err then
    return 1
  end
end

unchanged = unchanged or {}
-- The first set may have been written twice; only the first reply says whether it had the id.
if added then
  unchanged[2] = added == 0
end
local stuck
for i = 2, last do
  local isMoved = i > entered and i <= entered + moved
  if not unchanged[i] and (isMoved or not at or i < at) then
    local undone = pcall(i <= entered and "SREM" or "SADD", keys[i], id)
    stuck = stuck or undone ~= 0 and undone ~= 1
  end
end
if stuck then
  return { -4, reply.err }
end
return at and string.sub(reply.err, 1, 9) == "WRONGTYPE" and { -1, at } or reply
