-- The part `operation`: answers an operation that was carried out before from what is remembered
-- of it, see remember.lua. One item, so its words are ARGV[3] to ARGV[7]:
--   for how many milliseconds it is remembered; below 0: it is looked up, and not remembered
--   what distinguishes it from others with the same id
--   how many replicas must have it
--   ids that were chosen by the client
--   its answer
local operation
if enterPart("operation") == 1 then
  operation = KEYS[#KEYS]
  local memory = call("GET", operation)
  if memory then
    local identity, replicas, ids, answer = string.match(memory, "^([^\n]*)\n([^\n]*)\n([^\n]*)\n(.*)$")
    if identity ~= ARGV[4] then
      return { -3 }
    end
    local result = { 2, answer, replicas }
    for id in string.gmatch(ids, "[^,]+") do
      result[#result + 1] = id
    end
    -- A write, so that WAIT after it waits for what was written the first time. It makes the time
    -- longer, never shorter.
    local ms = math.max(call("PTTL", operation), math.abs(tonumber(ARGV[3])))
    call("PEXPIRE", operation, string.format("%.0f", ms))
    return result
  end
  at = 8 -- after ARGV[7]
end
