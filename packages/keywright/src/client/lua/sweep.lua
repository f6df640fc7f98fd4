-- Removes what expired records have left behind: their entries in sets and sorted
-- sets, and the keys that were theirs alone. The check is in here, so that a record
-- that was created again in the meantime keeps everything.
--
-- KEYS[1]  the sorted set of deadlines; its members say what ends with a record
-- KEYS[2…] for each member: the record's key, the keys that hold its id, its own keys
-- ARGV     for each member: the member, the record's id as stored, its other form (quoted or
--          bare; the same if there is none), how many keys hold its id, how many are its own
-- result   the number of members that are done, then those whose record is there

-- include now-ms

local now = nowMs()
local remove = { set = "SREM", zset = "ZREM" }
local result = { 0 }
local at = 2

for i = 1, #ARGV, 5 do
  local member, id, other = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local entries, owned = tonumber(ARGV[i + 3]), tonumber(ARGV[i + 4])
  local score = redis.call("ZSCORE", KEYS[1], member)
  if score and tonumber(score) <= now then
    if redis.call("EXISTS", KEYS[at]) == 1 then
      result[#result + 1] = member
    else
      for k = at + 1, at + entries do
        local name = remove[redis.call("TYPE", KEYS[k]).ok]
        if name then
          redis.call(name, KEYS[k], id, other)
        end
      end
      for k = at + entries + 1, at + entries + owned do
        redis.call("UNLINK", KEYS[k])
      end
      redis.call("ZREM", KEYS[1], member)
      result[1] = result[1] + 1
    end
  end
  at = at + 1 + entries + owned
end
return result
