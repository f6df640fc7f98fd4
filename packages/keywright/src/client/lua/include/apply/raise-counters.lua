-- The counters of `ids`, each by as many as it passed. Nothing can fail any more.
if counters then
  for counter, known in pairs(counters) do
    call("INCRBY", counter, string.format("%.0f", known.now - known.before))
    isPartlyWritten = true
  end
end
