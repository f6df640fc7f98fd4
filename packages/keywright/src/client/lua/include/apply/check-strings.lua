-- Three parts: one MGET reads the strings to be compared and the counters.
--   is-string  the string that the key must hold
--   is-absent  no words: the key must not exist
--   ids        see allocate-ids.lua
local stringCount, stringsAt = enterPart("is-string"), at
at = at + stringCount
local absentCount, absent = enterPart("is-absent"), nil
local idGroups, counterTexts = enterPart("ids"), nil
for from = 1, stringCount + idGroups, MOST do
  local to = math.min(from + MOST - 1, stringCount + idGroups)
  local found = call("MGET", unpack(KEYS, from, to))
  for i = from, math.min(to, stringCount) do
    if found[i - from + 1] ~= ARGV[stringsAt + i - 1] then
      return { 0, i, found[i - from + 1] }
    end
  end
  for i = math.max(from, stringCount + 1), to do
    counterTexts = counterTexts or {}
    counterTexts[i - stringCount] = found[i - from + 1]
  end
end
k = stringCount + idGroups
