-- The part `move`: one member enters and leaves several sets. A key that is not a set, or that the
-- user may not write, is detected by trying. The keys are those sets, in the same order. Items:
--   the member, how many sets it enters, how many it leaves
local moves, undos, undoCount, refusal = enterPart("move"), nil, 0, nil
if moves > 0 then
  undos = {}
  for _ = 1, moves do
    local member, enters, leaves = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
    local name, undo = "SADD", "SREM"
    at = at + 3
    for i = 1, enters + leaves do
      if i == enters + 1 then
        name, undo = "SREM", "SADD"
      end
      k = k + 1
      local reply = redis.pcall(name, KEYS[k], member)
      if reply == 1 then
        undos[undoCount + 1], undos[undoCount + 2], undos[undoCount + 3] = undo, KEYS[k], member
        undoCount = undoCount + 3
      elseif reply ~= 0 then
        refusal = reply
        break
      end
    end
    if refusal then
      break
    end
  end
end
