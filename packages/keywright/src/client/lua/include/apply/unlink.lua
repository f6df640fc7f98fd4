-- The part `unlink`: keys to delete. Its items have no words.
local unlinked = enterPart("unlink")
for from = k + 1, k + unlinked, MOST do
  call("UNLINK", unpack(KEYS, from, math.min(from + MOST - 1, k + unlinked)))
  isPartlyWritten = true
end
k = k + unlinked
