-- The sets of `move-many`, see move-many.lua. SADD and SREM of many members do not say which of
-- them changed the set, so they cannot be put back: the types of these sets are checked first, and
-- they are written after all others.
local manyCount, manyKey = enterPart("move-many"), k
for i = k + 1, k + manyCount do
  local reply = redis.pcall("SCARD", KEYS[i])
  if type(reply) == "table" then
    return string.sub(reply.err, 1, 9) == "WRONGTYPE" and { -1, i } or reply
  end
end
k = k + manyCount
local manyAt = at
for _ = 1, manyCount do
  at = at + 2 + tonumber(ARGV[at + 1])
end
