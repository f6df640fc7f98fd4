-- After a failure: moves are put back where nothing else was written. All of them, although one may
-- fail: a user may be allowed to add members and not to remove them.
local reason = not isDone and (type(failure) == "table" and failure.err or tostring(failure))
if reason and not isPartlyWritten then
  for i = undoCount - 2, 1, -3 do
    isPartlyWritten = redis.pcall(undos[i], undos[i + 1], undos[i + 2]) ~= 1 or isPartlyWritten
  end
  if not isPartlyWritten then
    return refusal and string.sub(reason, 1, 9) == "WRONGTYPE" and { -1, k } or redis.error_reply(reason)
  end
end
