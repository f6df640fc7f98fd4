-- Whether `found`, the reply of SMEMBERS or HGETALL, has exactly the `number` words that begin
-- at ARGV[from], in any order: members (`width` 1), or pairs of field and value (`width` 2).
local function holds(found, from, number, width)
  if #found ~= number then
    return false
  end
  local i = 1
  while i <= number and found[i] == ARGV[from + i - 1] do
    i = i + 1
  end
  if i > number then
    return true
  end
  local expected = {}
  for j = from, from + number - 1, width do
    expected[ARGV[j]] = width == 1 or ARGV[j + 1]
  end
  for j = 1, number, width do
    if expected[found[j]] ~= (width == 1 or found[j + 1]) then
      return false
    end
  end
  return true
end
