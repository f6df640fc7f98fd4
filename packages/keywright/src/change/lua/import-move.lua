-- Puts a key that was written in parts into its place.
--
-- KEYS[1]  where it was written
-- KEYS[2]  its place
-- KEYS[3]  in a cluster: one that is not there, see slot-tag.ts
-- ARGV[1]  "overwrite" or "skip" (only where there is no key)
-- ARGV[2]  its deadline or ""
-- result   short reply: 1, or 0 when something is there

if ARGV[1] ~= "overwrite" and redis.call("EXISTS", KEYS[2]) == 1 then
  redis.call("UNLINK", KEYS[1])
  return 0
end
redis.call("UNLINK", KEYS[2])
redis.call("RENAME", KEYS[1], KEYS[2])
if ARGV[2] == "" then
  redis.call("PERSIST", KEYS[2])
else
  redis.call("PEXPIREAT", KEYS[2], ARGV[2])
end
return 1
