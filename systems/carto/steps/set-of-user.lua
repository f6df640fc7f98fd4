-- Changes one field of a user's record. A user who does not exist is not created: a
-- record of one field would be found by every lookup (CDB-4, CDB-19).
--
-- KEYS[1]  rails:users:{username}
-- ARGV     field, value
-- result   1, or 0 when there is no such user

if redis.call("EXISTS", KEYS[1]) == 0 then
  return 0
end
redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
return 1
