-- The part `mset`: strings without a TTL. Items: the string to write
local values = enterPart("mset")
if values == 1 then
  call("SET", KEYS[k + 1], ARGV[at])
  isPartlyWritten = true
else
  for from = 1, values, MOST do
    local words, size = {}, 0
    for i = from, math.min(from + MOST - 1, values) do
      words[size + 1], words[size + 2] = KEYS[k + i], ARGV[at + i - 1]
      size = size + 2
    end
    call("MSET", unpack(words))
    isPartlyWritten = true
  end
end
at, k = at + values, k + values
