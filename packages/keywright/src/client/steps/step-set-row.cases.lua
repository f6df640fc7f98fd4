-- Stores a row, if it is still scheduled.
--
-- KEYS[1]  delay: of all rows
-- KEYS[2]  the row
-- ARGV[1]  its value

if redis.call("ZCARD", KEYS[1]) == 0 then
  return redis.error_reply("ROW.UNSCHEDULED nobody asks for it any more")
end
redis.call("APPEND", KEYS[2], ARGV[1])
