-- Removes the index entries of records that have expired. The check is in here, so
-- that a record that was created again in the meantime keeps its entries.
--
-- KEYS[1]  the sorted set of deadlines; its members say which entries end with a record
-- KEYS[2]  the set of all ids (or KEYS[1], when there is none)
-- KEYS[3…] for each member: the record's key, then the keys of its index entries
-- ARGV     for each member: the member, the record's id, the number of index keys
-- result   the number of members that are done, then those whose record is there

local now = redis.call("TIME")
local ms = now[1] * 1000 + math.floor(now[2] / 1000)
local remove = { set = "SREM", zset = "ZREM" }
local result = { 0 }
local at = 3

for i = 1, #ARGV, 3 do
  local member, id, count = ARGV[i], ARGV[i + 1], tonumber(ARGV[i + 2])
  local score = redis.call("ZSCORE", KEYS[1], member)
  if score and tonumber(score) <= ms then
    if redis.call("EXISTS", KEYS[at]) == 1 then
      result[#result + 1] = member
    else
      for k = at + 1, at + count do
        local name = remove[redis.call("TYPE", KEYS[k]).ok]
        if name then
          redis.call(name, KEYS[k], id)
        end
      end
      if KEYS[2] ~= KEYS[1] and redis.call("TYPE", KEYS[2]).ok == "set" then
        redis.call("SREM", KEYS[2], id)
      end
      redis.call("ZREM", KEYS[1], member)
      result[1] = result[1] + 1
    end
  end
  at = at + 1 + count
end
return result
