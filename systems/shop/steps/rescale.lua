-- Keeps the most popular items, which have the lowest scores, and halves what they
-- have, so that new items can catch up (SHOP-21).
--
-- KEYS[1]  viewed:, the popularity
-- ARGV     how many items are kept
-- result   how many there are now

redis.call("ZREMRANGEBYRANK", KEYS[1], tonumber(ARGV[1]), -1)
return redis.call("ZINTERSTORE", KEYS[1], 1, KEYS[1], "WEIGHTS", "0.5")
