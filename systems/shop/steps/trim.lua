-- Keeps the most popular items where there are too many: customers may invent items, and
-- what they invent between two rescalings has an end.
--
-- KEYS[1]  viewed:, the popularity
-- ARGV     how many items have a popularity, how many of them stay when there are more
-- result   how many were removed

if redis.call("ZCARD", KEYS[1]) <= tonumber(ARGV[1]) then
  return 0
end
return redis.call("ZREMRANGEBYRANK", KEYS[1], tonumber(ARGV[2]), -1)
