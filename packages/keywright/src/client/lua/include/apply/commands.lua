-- The part `commands`: all other commands, in their order. Items: a name, how many words, words.
-- These names are our own; Redis has no such commands:
--   delete-if       value                deletes the key if it holds this string
--   note-end        member ms record     notes when a record ends: with `record`, when that does
--   live-as         record               the key expires when the record does
--   remove-by-type  member               removes it from a set or a sorted set, whichever it is
local commands = enterPart("commands")
if commands > 0 then
  -- Runs a command of our own; returns false for any other.
  local function ours(name, key, one, two, three)
    if name == "delete-if" then
      if call("GET", key) == one then
        call("DEL", key)
      end
    elseif name == "note-end" then
      local left = three == "" and -1 or call("PTTL", three)
      call("ZADD", key, string.format("%.0f", nowMs() + (left > 0 and left or two)), one)
    elseif name == "live-as" then
      local left = call("PTTL", one)
      if left >= 0 then
        call("PEXPIRE", key, math.max(left, 1)) -- 0: the record ends within this millisecond.
      end
    elseif name == "remove-by-type" then
      local remove = ({ set = "SREM", zset = "ZREM" })[call("TYPE", key).ok]
      if remove then
        call(remove, key, one)
      end
    else
      return false
    end
    return true
  end

  for _ = 1, commands do
    k = k + 1
    local name, first = ARGV[at], at + 2
    at = first + tonumber(ARGV[at + 1])
    if not ours(name, KEYS[k], ARGV[first], ARGV[first + 1], ARGV[first + 2]) then
      call(name, KEYS[k], unpack(ARGV, first, at - 1))
    end
    isPartlyWritten = true
  end
end
