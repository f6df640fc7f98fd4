-- Remembers the operation, also one that failed after it had begun to write; recall.lua and
-- plan/operation-memory.ts read this. A line each: what distinguishes it from others with the same
-- id, how many replicas must have it, its ids, and its answer or the error after "!".
if operation and tonumber(ARGV[3]) > 0 then
  local ids = counters and table.concat(result, ",", 2) or ARGV[6]
  local answer = reason and "!" .. reason or ARGV[7]
  local memory = table.concat({ ARGV[4], ARGV[5], ids, answer }, "\n")
  local noted = redis.pcall("SET", operation, memory, "PX", ARGV[3])
  reason = reason or noted.err
end
return reason and { -4, reason } or result
