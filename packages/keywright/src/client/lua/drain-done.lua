-- Releases a batch that the target already contains.
--
-- KEYS[1]  the batch that is out   KEYS[2]  its note
-- ARGV[1]  the number of the batch
-- result   short reply: 1, or 0 when it is not out any more

if redis.call("HGET", KEYS[2], "number") ~= ARGV[1] then
  return 0
end
redis.call("HDEL", KEYS[2], "by", "until")
return redis.call("UNLINK", KEYS[1])
