-- One user writes to another (MSG-29): allowed when the receiver is in the sender's list
-- and no ban is cached; then the sender is present (MSG-8).
--
-- KEYS     OnSub, the services with somebody online, the events of the service,
--          C:{sender}, St:{sender}, Sub:{sender}:BanSub, and where it is in the same shard Sub:{receiver}:BanSub
-- ARGV     1, 1, 1 or 2; the receiver as a contact, sender, receiver, now, milliseconds that a
--          status lives; how many events are kept, and for how many milliseconds
-- result   1, or 2 when the sender's presence is new to others; 0 when they are not in the list, or there is none; -1 when one banned the other

-- include tell
-- include named
local online, services, events, contacts, status = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local item, sender, receiver, now, ms = ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]

if redis.call("SISMEMBER", KEYS[6], receiver) == 1 or (KEYS[7] and redis.call("SISMEMBER", KEYS[7], sender) == 1) then
  return -1
end
if not redis.call("LPOS", contacts, item) then
  return 0
end
check_own(events, services)
redis.call("SADD", online, sender)
local is_new = redis.call("HSETNX", status, "behavioral_status", "online") == 1
redis.call("HSET", status, "last_activity_time", now)
redis.call("PEXPIRE", status, ms)
redis.call("SADD", services, named(online))
if is_new then
  tell_presence(events, ARGV[9], ARGV[10], sender, status)
end
return is_new and 2 or 1
