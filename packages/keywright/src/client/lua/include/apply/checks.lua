-- The part `checks`. Items: a kind, and its words:
--   hash     n …             a hash of exactly these n words: field, value …
--   set      n …             a set of exactly these n members
--   reply    order digest n …  a command (n words, without the key) has a reply with this digest;
--                            order: "ordered", or in any order "members" or "pairs"
--   unique-free  id head tail q  a unique value without a holder, or held by `id` or by a
--                            record that is gone; q "1": ids may be in quotes
--   unique-unheld  id q      a unique value without a holder, or held by `id`
--   type     name            no key, or one of this Redis type
--   ahead    at ms           an instant in the future, by at most ms milliseconds
--   number   type kind field  no value, or a number of this kind ("integer" or "float"): the
--                            "string", or a field of the "hash"
--   element  position        a list that has an element there
local checks = enterPart("checks")
if checks > 0 then
-- include holds

-- include unquote

-- include reply-digest

  -- What was read before, read again; nil when the key is of another type by now.
  local function readAgain(...)
    local reply = redis.pcall(...)
    if type(reply) ~= "table" or not reply.err then
      return reply
    elseif string.sub(reply.err, 1, 9) ~= "WRONGTYPE" then
      return call(...)
    end
    return nil
  end

  -- Whether a command's reply has this digest.
  local function givesDigest(key)
    local order, expected, number = ARGV[at + 1], ARGV[at + 2], tonumber(ARGV[at + 3])
    local words = { ARGV[at + 4], key, unpack(ARGV, at + 5, at + 3 + number) }
    at = at + 4 + number

    local reply = readAgain(unpack(words))
    if reply == nil then
      return false
    elseif not reply then
      return expected == "none"
    elseif order == "ordered" or type(reply) ~= "table" then
      return redis.sha1hex(spell(reply)) == expected
    end
    return unorderedDigest(reply, order == "pairs" and 2 or 1) == expected
  end

  -- What was found instead of what the next check requires; nil when it holds.
  local function mismatch(kind, key)
    local one, two, three = ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
    if kind == "set" or kind == "hash" then
      local from, number = at + 2, tonumber(one)
      at = from + number
      local found = readAgain(kind == "set" and "SMEMBERS" or "HGETALL", key)
      local isSame = found and holds(found, from, number, kind == "set" and 1 or 2)
      return not isSame and { false } or nil
    elseif kind == "reply" then
      return not givesDigest(key) and { false } or nil
    elseif kind == "unique-free" or kind == "unique-unheld" then
      local isFree = kind == "unique-free"
      local raw = call("GET", key)
      local holder = raw and ARGV[at + (isFree and 4 or 2)] == "1" and unquote(raw) or raw
      at = at + (isFree and 5 or 3)
      if not holder or holder == one or isFree and call("EXISTS", two .. holder .. three) == 0 then
        return nil
      end
      return { isFree and holder or raw }
    elseif kind == "type" then
      at = at + 2
      local found = call("TYPE", key).ok
      return found ~= "none" and found ~= one and { found } or nil
    elseif kind == "ahead" then
      at = at + 3
      local ahead = tonumber(one) - nowMs()
      return ahead <= 0 and { "past" } or ahead > tonumber(two) and { "late" } or nil
    elseif kind == "number" then
      at = at + 4
      local found
      if one == "hash" then
        found = call("HGET", key, three)
      else
        found = call("GET", key)
      end
      return found and not isNumber(found, two == "integer") and { false } or nil
    end
    at = at + 2
    return not call("LINDEX", key, one) and { false } or nil
  end

  for _ = 1, checks do
    k = k + 1
    local found = mismatch(ARGV[at], KEYS[k])
    if found then
      return { 0, k, found[1] }
    end
  end
end
