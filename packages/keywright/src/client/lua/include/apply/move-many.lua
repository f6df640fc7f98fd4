-- The part `move-many`: several members of one set. Items: SADD or SREM, how many, members
for i = 1, manyCount do
  local last = manyAt + 1 + tonumber(ARGV[manyAt + 1])
  call(ARGV[manyAt], KEYS[manyKey + i], unpack(ARGV, manyAt + 2, last))
  manyAt, isPartlyWritten = last + 1, true
end
