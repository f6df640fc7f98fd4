-- Compares and applies a plan: everything that must hold is checked, then everything is
-- written; nobody can see a state in between. plan/encode-plan.ts writes what is read
-- here.
--
-- KEYS     every key, in the order in which the parts below use them; only the counters of
--          `ids` come directly after the keys of `is-string`, so that one MGET reads both. Last,
--          when there is an operation id: where the operation is remembered. Without one, in a
--          cluster, when a key is written more than once: a key that never exists, see
--          neverKeys in client/call/slot-tag.ts
-- ARGV     parts, in this order; a part without items is left out. Each part is its name,
--          the number of its items, and for each item:
--   operation  (one item, so these words are ARGV[3] to ARGV[7]) for how many milliseconds it
--              is remembered; below 0: it is looked up, and not remembered. What distinguishes
--              it from others with the same id, how many replicas must have it, ids that were
--              chosen by the client, its answer
--   is-string  the string that the key must hold
--   is-absent  no words: the key must not exist
--   ids        how many ids the counter at the key gives, head and tail of the records' keys,
--              and the placeholders: in all that follows, keys too, these become the ids
--   checks     its kind, and:
--     hash     n …             a hash of exactly these n words: field, value …
--     set      n …             a set of exactly these n members
--     reply    order digest n …  a command (n words, without the key) has a reply with this digest;
--                              order: "ordered", or in any order "members" or "pairs"
--     unique-free  id head tail q  a unique value without a holder, or held by `id` or by a
--                              record that is gone; q "1": ids may be in quotes
--     unique-unheld  id q      a unique value without a holder, or held by `id`
--     type     name            no key, or one of this Redis type
--     ahead    at ms           an instant in the future, by at most ms milliseconds
--     number   type kind field  no value, or a number of this kind ("integer" or "float"): the
--                              "string", or a field of the "hash"
--     element  position        a list that has an element there
--   move-many  several members of one set: SADD or SREM, how many, members
--   move       one member of several sets: the member, how many it enters, how many it leaves;
--              the keys are those sets, in the same order
--   mset       the string to write
--   unlink     no words
--   commands   its name, how many words, words. Some are our own, see `ours`
-- result   1, or { 1, new ids … }; { 2, answer, replicas, ids … } when the operation was carried
--          out earlier; { 0, position of the key whose check failed, what was found }; { -1,
--          position of the key that should be a set }; { -3 } when another operation has this id;
--          { -4, error } when a write failed after others that stay, because they cannot be put
--          back: instead of an answer, "!" and the error are remembered. Known causes: the user's
--          rights, and a stream that has no ids left
-- errors   ENTITY.COUNTER  a counter does not hold an integer
--
-- Numbers are plain decimals. Functions are created where they are needed: creating all of
-- them first took a third of the time of a create.

local call = redis.call
local MOST = 2000 -- keys and words that Lua can unpack
local at, k = 1, 0 -- the next word, and the last key that was used

-- Moves on to the items of the next part, if it is this part, and returns their number.
local function enterPart(part)
  if ARGV[at] ~= part then
    return 0
  end
  at = at + 2
  return tonumber(ARGV[at - 1])
end

local operation
if enterPart("operation") == 1 then
  operation = KEYS[#KEYS]
  local memory = call("GET", operation)
  if memory then
    local identity, replicas, ids, answer = string.match(memory, "^([^\n]*)\n([^\n]*)\n([^\n]*)\n(.*)$")
    if identity ~= ARGV[4] then
      return { -3 }
    end
    local result = { 2, answer, replicas }
    for id in string.gmatch(ids, "[^,]+") do
      result[#result + 1] = id
    end
    -- A write, so that WAIT after it waits for what was written the first time. It makes the time longer, never shorter.
    local ms = math.max(call("PTTL", operation), math.abs(tonumber(ARGV[3])))
    call("PEXPIRE", operation, string.format("%.0f", ms))
    return result
  end
  at = 8 -- after ARGV[7]
end

local stringCount, stringsAt = enterPart("is-string"), at
at = at + stringCount
local absentCount, absent = enterPart("is-absent"), nil
local idGroups, counterTexts = enterPart("ids"), nil
for from = 1, stringCount + idGroups, MOST do
  local to = math.min(from + MOST - 1, stringCount + idGroups)
  local found = call("MGET", unpack(KEYS, from, to))
  for i = from, math.min(to, stringCount) do
    if found[i - from + 1] ~= ARGV[stringsAt + i - 1] then
      return { 0, i, found[i - from + 1] }
    end
  end
  for i = math.max(from, stringCount + 1), to do
    counterTexts = counterTexts or {}
    counterTexts[i - stringCount] = found[i - from + 1]
  end
end

k = stringCount + idGroups
for from = k + 1, k + absentCount, MOST do
  local to = math.min(from + MOST - 1, k + absentCount)
  local isThere = call("EXISTS", unpack(KEYS, from, to)) > 0
  absent = absent or {}
  for i = from, to do
    absent[KEYS[i]] = true
    if isThere and call("EXISTS", KEYS[i]) == 1 then
      return { 0, i, false }
    end
  end
end
k = k + absentCount

-- Whether INCRBY (`isWhole`) or INCRBYFLOAT can add to a text. INCRBYFLOAT refuses a text that
-- underflows to 0, so such a text is refused here.
local function isNumber(text, isWhole)
  local number = tonumber(text)
  if not number or number ~= number or math.abs(number) > 4e18 then
    return false
  elseif isWhole then
    return text == "0" or string.find(text, "^%-?[1-9]%d*$") ~= nil
  elseif not string.find(text, "^%-?[%d.eE+-]+$") or #text > 300 then
    return false
  end
  return number ~= 0 or not string.find(text, "^[^eE]*[1-9]")
end

-- The time in milliseconds.
local function now()
  local time = call("TIME")
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Counters are only read here: they move when nothing can fail any more.
local result, counters = 1, nil
if idGroups > 0 then
  -- Whether no record has the next ids after `number`.
  local function areFree(number, many, head, tail)
    local keys = {}
    for i = 1, many do
      keys[i] = head .. string.format("%.0f", number + i) .. tail
      if absent and absent[keys[i]] then
        return false
      end
    end
    return call("EXISTS", unpack(keys)) == 0
  end

  -- The next id after `number` that no record has, in steps that grow when many are taken.
  local function nextFree(number, head, tail)
    local step, tries = 1, 0
    repeat
      number = number + step
      tries = tries + 1
      if tries > 100 then
        step = step * 2
      end
      local key = head .. string.format("%.0f", number) .. tail
    until not (absent and absent[key]) and call("EXISTS", key) == 0
    return number
  end

  -- Replaces placeholders by ids: "kwid" and 24 digits. A pattern would be tried at every
  -- character.
  local find, sub = string.find, string.sub
  local function fill(words, from, ids)
    for i = from, #words do
      local word = words[i]
      local place, next, filled = find(word, "kwid", 1, true), 1, ""
      if place and ids[word] then
        words[i] = ids[word]
      elseif place then
        repeat
          local id = ids[sub(word, place, place + 27)]
          if id then
            filled, next = filled .. sub(word, next, place - 1) .. id, place + 28
          end
          place = find(word, "kwid", place + 4, true)
        until not place
        words[i] = filled .. sub(word, next)
      end
    end
  end

  local ids = {}
  result, counters = { 1 }, {}
  for group = 1, idGroups do
    local counter, head, tail = KEYS[stringCount + group], ARGV[at + 1], ARGV[at + 2]
    local known = counters[counter]
    if not known then
      -- MGET does not distinguish a key of another type from a missing one: GET refuses it.
      local text = counterTexts[group] or call("GET", counter) or "0"
      if not isNumber(text, true) or tonumber(text) > 9007199254740000 then
        return redis.error_reply("ENTITY.COUNTER " .. counter .. " is not an integer, so it cannot be incremented")
      end
      known = { before = tonumber(text), now = tonumber(text) }
      counters[counter] = known
    end
    local many = tonumber(ARGV[at])
    local last, isFree = at + 2 + many, many > 1 and many <= MOST and areFree(known.now, many, head, tail)
    for i = at + 3, last do
      known.now = isFree and known.now + 1 or nextFree(known.now, head, tail)
      local id = string.format("%.0f", known.now)
      ids[ARGV[i]] = id
      result[#result + 1] = id
    end
    at = last + 1
  end
  fill(KEYS, k + 1, ids)
  fill(ARGV, operation and 7 or at, ids) -- its answer, and all that follows
end

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
  local function failure(kind, key)
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
      local ahead = tonumber(one) - now()
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
    local found = failure(ARGV[at], KEYS[k])
    if found then
      return { 0, k, found[1] }
    end
  end
end

-- SADD and SREM of many members do not say which of them changed the set, so they cannot be
-- undone: the types of these sets are checked first, and they are written after all others.
local manyCount, manyKey = enterPart("move-many"), k
for i = k + 1, k + manyCount do
  local reply = redis.pcall("SCARD", KEYS[i])
  if type(reply) == "table" then
    return string.sub(reply.err, 1, 9) == "WRONGTYPE" and { -1, i } or reply
  end
end
k = k + manyCount
local manyAt = at
for _ = 1, manyCount do
  at = at + 2 + tonumber(ARGV[at + 1])
end

-- A key that is not a set, or that the user may not write, is detected by trying.
local moves, done, size, refused = enterPart("move"), nil, 0, nil
if moves > 0 then
  done = {}
  for _ = 1, moves do
    local member, enters, leaves = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
    local name, undo = "SADD", "SREM"
    at = at + 3
    for i = 1, enters + leaves do
      if i == enters + 1 then
        name, undo = "SREM", "SADD"
      end
      k = k + 1
      local reply = redis.pcall(name, KEYS[k], member)
      if reply == 1 then
        done[size + 1], done[size + 2], done[size + 3] = undo, KEYS[k], member
        size = size + 3
      elseif reply ~= 0 then
        refused = reply
        break
      end
    end
    if refused then
      break
    end
  end
end

-- From here on nothing should fail, and a refusal above takes the same way out as a failure below.
-- What was written before it `remains`, and that is reported and remembered; only sets are put
-- back, where nothing else was written.
local remains = false
local isDone, problem = pcall(function()
  if refused then
    error(refused)
  end
  for i = 1, manyCount do
    local last = manyAt + 1 + tonumber(ARGV[manyAt + 1])
    call(ARGV[manyAt], KEYS[manyKey + i], unpack(ARGV, manyAt + 2, last))
    manyAt, remains = last + 1, true
  end
  if counters then
    for counter, known in pairs(counters) do
      call("INCRBY", counter, string.format("%.0f", known.now - known.before))
      remains = true
    end
  end

  local values = enterPart("mset")
  if values == 1 then
    call("SET", KEYS[k + 1], ARGV[at])
    remains = true
  else
    for from = 1, values, MOST do
      local words, size = {}, 0
      for i = from, math.min(from + MOST - 1, values) do
        words[size + 1], words[size + 2] = KEYS[k + i], ARGV[at + i - 1]
        size = size + 2
      end
      call("MSET", unpack(words))
      remains = true
    end
  end
  at, k = at + values, k + values

  local unlinked = enterPart("unlink")
  for from = k + 1, k + unlinked, MOST do
    call("UNLINK", unpack(KEYS, from, math.min(from + MOST - 1, k + unlinked)))
    remains = true
  end
  k = k + unlinked

  local commands = enterPart("commands")
  if commands > 0 then
    -- Our own commands, which Redis does not have. Returns false for a command of Redis.
    local function ours(name, key, one, two, three)
      if name == "delete-if" then
        if call("GET", key) == one then
          call("DEL", key)
        end
      elseif name == "note-end" then
        local left = three == "" and -1 or call("PTTL", three)
        call("ZADD", key, string.format("%.0f", now() + (left > 0 and left or two)), one)
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
      remains = true
    end
  end
end)

local reason = not isDone and (type(problem) == "table" and problem.err or tostring(problem))
if reason and not remains then
  -- All of them, although one may fail: a user may be allowed to add members and not to remove them.
  for j = size - 2, 1, -3 do
    remains = redis.pcall(done[j], done[j + 1], done[j + 2]) ~= 1 or remains
  end
end
if reason and not remains then
  return refused and string.sub(reason, 1, 9) == "WRONGTYPE" and { -1, k } or redis.error_reply(reason)
elseif operation and tonumber(ARGV[3]) > 0 then
  local ids = counters and table.concat(result, ",", 2) or ARGV[6]
  local answer = reason and "!" .. reason or ARGV[7]
  local noted = redis.pcall("SET", operation, table.concat({ ARGV[4], ARGV[5], ids, answer }, "\n"), "PX", ARGV[3])
  reason = reason or noted.err
end
return reason and { -4, reason } or result
