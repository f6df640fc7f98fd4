-- Marks a user who is to be renamed. From here on nothing of theirs changes under this name,
-- so that a copy of it is whole. Sent again, it does nothing more.
--
-- KEYS[1]  rails:users:{username}   KEYS[2]  keywright:moving:{username}
-- ARGV     the user's id, the new name
-- result   1, or 0 when the user does not have this name (any more)

if redis.call("HGET", KEYS[1], "id") ~= ARGV[1] then
  return 0
end
redis.call("SET", KEYS[2], ARGV[1] .. " " .. ARGV[2])
return 1
