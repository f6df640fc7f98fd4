-- One user writes to another (MSG-29): allowed when the receiver is in the sender's list
-- and no ban is cached; then the sender is present (MSG-8).
--
-- KEYS     OnSub, C:{sender}, St:{sender}, Sub:{sender}:BanSub, Sub:{receiver}:BanSub
-- ARGV     1, 1, 2; the receiver as a contact, sender, receiver, now, milliseconds that a
--          status lives
-- result   1; 0 when he is not in the list, or there is none; -1 when one banned the other

local online, contacts, status = KEYS[1], KEYS[2], KEYS[3]
local item, sender, receiver, now, ms = ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]

if redis.call("SISMEMBER", KEYS[4], receiver) == 1 or redis.call("SISMEMBER", KEYS[5], sender) == 1 then
  return -1
end
if not redis.call("LPOS", contacts, item) then
  return 0
end
redis.call("SADD", online, sender)
redis.call("HSETNX", status, "behavioral_status", "online")
redis.call("HSET", status, "last_activity_time", now)
redis.call("PEXPIRE", status, ms)
return 1
