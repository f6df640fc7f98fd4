-- What is cached of whether one user may write to another (MSG-29).
--
-- KEYS[1]  C:{sender}   KEYS[2]  Sub:{sender}:BanSub   KEYS[3]  Sub:{receiver}:BanSub
-- ARGV     1, 2; the receiver as a contact, sender, receiver
-- result   1 when he is in the list; whether the sender has banned the receiver, and the
--          other way round: 1, 0, or -1 when nobody knows

local function banned(key, user)
  if redis.call("EXISTS", key) == 0 then
    return -1
  end
  return redis.call("SISMEMBER", key, user)
end

return {
  redis.call("LPOS", KEYS[1], ARGV[3]) and 1 or 0,
  banned(KEYS[2], ARGV[5]),
  banned(KEYS[3], ARGV[4]),
}
