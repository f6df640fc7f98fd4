-- The amounts of a shard that may be missing from the target, as of one moment. Reads only.
--
-- KEYS[1]  what was added up   KEYS[2]  the batch that is out   KEYS[3]  its note
-- ARGV[1]  the kind: zset, map or counter
-- result   { the number of the last batch, { element, amount, … } that were added up,
--          { element, amount, … } of the batch that is out }

-- include elements

return { redis.call("HGET", KEYS[3], "number") or "0", elements(KEYS[1]), elements(KEYS[2]) }
