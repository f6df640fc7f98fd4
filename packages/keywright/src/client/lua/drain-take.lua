-- Takes what was added up in a shard as a batch, which gets the next number. If a batch is
-- already out, returns it again. Of several drainers, one holds it for a limited time. Every
-- answer with a batch is a write, so that WAIT covers the batch.
--
-- KEYS[1]  what was added up   KEYS[2]  the batch that is out   KEYS[3]  its note
-- ARGV     the kind: zset, map or counter; the last number that the target has; who
--          drains; for how many milliseconds the batch is theirs
-- result   { "number", 1 when the batch was out already or else 0, { element, amount, … } };
--          { "0" } when there is nothing; { "-1" } when somebody else has the batch
-- errors   DRAIN.NUMBER when the number of the last batch is not a whole number

local last, who, lease = tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])

-- include now-ms

-- include needs

-- include elements

local now = nowMs()
local function batch(number, wasOut, content)
  local text = string.format("%.0f", number)
  redis.call("HSET", KEYS[3], "number", text, "by", who, "until", string.format("%.0f", now + lease))
  return { text, wasOut, content }
end

local note = redis.call("HMGET", KEYS[3], "number", "by", "until")
local text = note[1] or "0"
if not string.find(text, "^%d+$") or #text > 15 then
  return redis.error_reply("DRAIN.NUMBER the number of a batch in its note is not a whole number")
end
local number = tonumber(text)
if redis.call("EXISTS", KEYS[2]) == 1 then
  local theirs = tonumber(note[3] or 0) or 0
  -- Nobody has it for longer than that, whatever the note says.
  if note[2] and note[2] ~= who and theirs > now and theirs <= now + lease then
    return { "-1" }
  end
  return batch(number, 1, elements(KEYS[2]))
end
-- Reading refuses a key of another type before anything is written.
local content = elements(KEYS[1])
if #content == 0 then
  return { "0" }
end
needs("HSET", KEYS[3], "number", "0") -- Without its number, the batch would be mistaken for one that was added.
redis.call("RENAME", KEYS[1], KEYS[2])
return batch(math.max(number, last) + 1, 0, content)
