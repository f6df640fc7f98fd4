-- The keys of `is-absent`. One EXISTS asks for many; only when one exists, which one is found out.
for from = k + 1, k + absentCount, MOST do
  local to = math.min(from + MOST - 1, k + absentCount)
  local isThere = call("EXISTS", unpack(KEYS, from, to)) > 0
  absent = absent or {}
  for i = from, to do
    absent[KEYS[i]] = true
    if isThere and call("EXISTS", KEYS[i]) == 1 then
      return { 0, i, false }
    end
  end
end
k = k + absentCount
