-- Nothing of a user changes while they are being renamed.
--
-- KEYS     those of the step, and last keywright:moving:{username}
-- ARGV     those of the step
-- error    USER.MOVING
if redis.call("EXISTS", table.remove(KEYS)) == 1 then
  return redis.error_reply("USER.MOVING the user is being renamed")
end

