-- Begins a term at a fence: from now on nothing of an earlier one is applied here.
--
-- KEYS[1]  the fence
-- ARGV[1]  the term
-- ARGV[2]  "1": clear all positions first
-- result   { sequence, id, … } of the fence; nil when a later term has begun
-- errors   FENCE.UNREADABLE when what it holds is not a term

-- include needs

local at = redis.call("HGET", KEYS[1], "term") or "0"
if not string.find(at, "^%d+$") or #at > 16 or tonumber(at) > 9007199254740991 then
  return redis.error_reply("FENCE.UNREADABLE its term is not a number")
end
if tonumber(at) > tonumber(ARGV[1]) then
  return false
end
if ARGV[2] == "1" then
  needs("HSET", KEYS[1], "term", ARGV[1])
  redis.call("UNLINK", KEYS[1])
end
redis.call("HSET", KEYS[1], "term", ARGV[1])
return redis.call("HGETALL", KEYS[1])
