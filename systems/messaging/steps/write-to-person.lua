-- One user writes to another (MSG-29): allowed when the receiver is in the sender's list
-- and no ban is cached; then the sender is present (MSG-8).
--
-- KEYS     OnSub, the services with somebody online, the events of the service,
--          C:{sender}, St:{sender}, Sub:{sender}:BanSub, and where it is in the same shard Sub:{receiver}:BanSub
-- ARGV     1, 1, 1 or 2; the receiver as a contact, sender, receiver, now, milliseconds that a
--          status lives; how many events are kept, and for how many milliseconds
-- result   1, or 2 when the sender's presence is new to others; 0 when the receiver is not in
--          the list, or there is none; -1 when one banned the other

-- include tell
-- include named
-- include be-present
local keys = { online = KEYS[1], services = KEYS[2], events = KEYS[3], status = KEYS[5] }
local item, sender, receiver = ARGV[4], ARGV[5], ARGV[6]

local isBanned = redis.call("SISMEMBER", KEYS[6], receiver) == 1
if isBanned or (KEYS[7] and redis.call("SISMEMBER", KEYS[7], sender) == 1) then
  return -1
end
if not redis.call("LPOS", KEYS[4], item) then
  return 0
end
return be_present(keys, sender, ARGV[7], ARGV[8], ARGV[9], ARGV[10]) and 2 or 1
