-- Compare and apply: the one script behind every entity and transaction. It checks
-- all preconditions, then writes everything; in between nobody can look.
--
-- The short form, for what happens most: one document changes, and with it sets.
--
-- KEYS     the document, the sets that its id is added to, those that it is removed from
-- ARGV     "=", its id, to how many sets it is added, the old text, the new text
-- result   as below
--
-- The same for a hash that has no index entries to move:
--
-- KEYS     the hash
-- ARGV     "#", how many words it holds, these words as pairs, then those of HSET
--
-- The long form, for everything. Most of the time that a script takes goes into its
-- arguments and into calling commands: so one command does what can be done to many keys.
--
-- KEYS     every key, in the order in which the parts below use them; the last is the
--          operation's own when there is one (it remembers the result for whoever sends
--          it again)
-- ARGV     how many there are of each of the following, in one text: 32 and the number as
--          a character, or where one is beyond 90, six digits for each. Then:
--   operation   0 or 1: how long it is remembered in milliseconds (below 0: so long, if it
--               was carried out before; otherwise it is not begun), what tells it from others
--               of the same id, how many replicas must have it, and what a repetition is
--               answered with
--   changed     strings that are compared and then set: what they are. What they will be
--               comes behind `gone`
--   texts       strings that are compared: what they are
--   gone        strings that are compared and then removed: what they are
--   removed     keys that are removed
--   absent      keys that are not there
--   checks      each: its kind, …
--     u  id head tail     free, or held by `id`, or by a record head..holder..tail that is gone
--     q  id head tail     the same where ids stand in quotes
--     t  type             nothing, or this Redis type
--     e  at ms            an instant that lies ahead, by at most ms milliseconds
--     n  field kind       nothing, or a number (i whole, f any); "" is the whole string
--     l  position         a list that has an element there
--     p  n …              a hash of exactly these n words, which are pairs
--     m  n …              a set of exactly these n members
--     d  digest n …       reading it (n words of a command, without the key) gives this digest
--     s, h  …             the same, for members and for pairs that come in no order
--   counters    that give new ids, each: how many ids, head and tail of the records' keys,
--               the placeholders that stand for them
--   types       keys that hold placeholders, each: the key, its Redis type
--   sets        one text with a character for each: 32, 6 for every member, 4 when the key
--               holds placeholders, 2 when only members do, 1 to remove and not add. Then
--               for each: the key if it holds placeholders, the members. None: those of
--               the set before
--   strings     that are set: the values
--   filled      strings that are set and hold placeholders, each: the key if it holds
--               some, or "", and the value
--   commands    each: number of words, name, words …; a negative number: words hold
--               placeholders, and before them comes the key with placeholders, or ""
--     Some are our own: DELIF value (delete if it is this), ZADDIN ms member (the score
--     is the server's time in ms milliseconds), ZADDLEFT record ms member (the same, in
--     what that record has left), LIVEAS record (expires together with that record),
--     REMOVE member (from a set or a sorted set)
-- result   { 1, new ids … } or just 1; { 2, answer, replicas, new ids … } of an earlier time; { 0, number of the
--          failed check, what was found }; { -1, number of the key that should be a set and is not };
--          { -2, number of the key that has another type, its type }; { -3 } another
--          operation had this id
-- errors   ENTITY.COUNTER  a counter holds no whole number

local call, pcall, lua_pcall = redis.call, redis.pcall, pcall

if ARGV[1] == "=" then
  local found = call("GET", KEYS[1])
  if found ~= ARGV[4] then
    return { 0, 1, found }
  end
  local id, adds, name, same = ARGV[2], tonumber(ARGV[3]) + 1, "SADD", nil
  for i = 2, #KEYS do
    if i > adds then
      name = "SREM"
    end
    local reply = pcall(name, KEYS[i], id)
    if reply == 0 then
      same = same or {}
      same[i] = true
    elseif reply ~= 1 then
      for j = i - 1, 2, -1 do
        if not (same and same[j]) then
          call(j <= adds and "SREM" or "SADD", KEYS[j], id)
        end
      end
      if string.sub(reply.err, 1, 9) == "WRONGTYPE" then
        return { -1, i - 1 }
      end
      return reply
    end
  end
  call("SET", KEYS[1], ARGV[5])
  return 1
end

-- Whether a set or a hash, as it was read, holds exactly these members or pairs: `count`
-- words from ARGV[at] on, `width` of them together, in any order.
local function holds(found, at, count, width)
  if #found ~= count then
    return false
  end
  local i = 1
  while i <= count and found[i] == ARGV[at + i - 1] do
    i = i + 1
  end
  if i > count then
    return true
  end
  local expected = {}
  for j = at, at + count - 1, width do
    expected[ARGV[j]] = width == 1 or ARGV[j + 1]
  end
  for j = 1, count, width do
    if expected[found[j]] ~= (width == 1 or found[j + 1]) then
      return false
    end
  end
  return true
end

if ARGV[1] == "#" then
  local count = tonumber(ARGV[2])
  if not holds(call("HGETALL", KEYS[1]), 3, count, 2) then
    return { 0, 1, false }
  end
  call("HSET", KEYS[1], unpack(ARGV, 3 + count))
  return 1
end

-- How many there are of each part.
local function counts(text)
  if #text == 12 then
    return string.byte(text, 1, 12)
  end
  local numbers = {}
  for i = 1, 12 do
    numbers[i] = tonumber(string.sub(text, 6 * i - 5, 6 * i)) + 32
  end
  return unpack(numbers)
end
local operations, changed, texts, gone, removed, missing, checks, counters, types, sets, strings, filled =
  counts(ARGV[1])
local UNPACKED = 2000
local at, k = 2, 1

local operation = operations > 32 and KEYS[#KEYS]
if operation then
  local remembered = call("GET", operation)
  if remembered then
    local identity, replicas, ids, answer = string.match(remembered, "^([^\n]*)\n([^\n]*)\n([^\n]*)\n(.*)$")
    if identity ~= ARGV[3] then
      return { -3 }
    end
    local result = { 2, answer, replicas }
    for id in string.gmatch(ids, "[^,]+") do
      result[#result + 1] = id
    end
    -- A write, so that WAIT after it waits for what was written the first time.
    call("PEXPIRE", operation, string.format("%.0f", math.abs(tonumber(ARGV[2]))))
    return result
  end
  at = 6
end

-- Strings, in steps that Lua can unpack.
changed, texts, gone, removed = changed - 32, texts - 32, gone - 32, removed - 32
local compared = changed + texts + gone
for from = 1, compared, UNPACKED do
  local to = from + UNPACKED <= compared and from + UNPACKED - 1 or compared
  local found = call("MGET", unpack(KEYS, from, to))
  for i = from, to do
    if found[i - from + 1] ~= ARGV[at + i - 1] then
      return { 0, i, found[i - from + 1] }
    end
  end
end
local news = at + compared
at = news + changed
k = 1 + compared + removed

local absent
missing = missing - 32
for from = k, k + missing - 1, UNPACKED do
  local to = math.min(from + UNPACKED, k + missing) - 1
  if call("EXISTS", unpack(KEYS, from, to)) > 0 then
    for i = from, to do
      if call("EXISTS", KEYS[i]) == 1 then
        return { 0, compared + i - k + 1, false }
      end
    end
  end
  absent = absent or {}
  for i = from, to do
    absent[KEYS[i]] = true
  end
end
k = k + missing

-- Whether INCRBY ("i") or INCRBYFLOAT can add to a text.
local function isNumber(text, kind)
  local number = tonumber(text)
  if not number or number ~= number or math.abs(number) > 4e18 then
    return false
  end
  return text == "0" or string.find(text, kind == "i" and "^%-?[1-9]%d*$" or "^%-?[%d.eE+-]+$") ~= nil
end

if checks > 32 then
  -- The text that stands in quotes; one that does not, as it is.
  local function unquote(text)
    local plain = string.match(text, '^"([^"\\]*)"$')
    if plain then
      return plain
    elseif string.sub(text, 1, 1) ~= '"' then
      return text
    end
    local isRead, list = lua_pcall(cjson.decode, "[" .. text .. "]")
    return isRead and #list == 1 and type(list[1]) == "string" and list[1] or text
  end

  -- Any reply as one text.
  local function spell(reply)
    if type(reply) ~= "table" then
      return type(reply) .. ":" .. tostring(reply)
    end
    if reply.ok then
      return "string:" .. reply.ok
    end
    local parts = {}
    for i = 1, #reply do
      local part = spell(reply[i])
      parts[i] = #part .. "=" .. part
    end
    return "table:" .. table.concat(parts, ",")
  end

  -- The digest of a reply. What comes in no order is put in that of its parts' digests,
  -- `width` elements at a time: hexadecimal digits sort alike in every locale.
  local function digest(reply, width)
    if width == 0 or type(reply) ~= "table" then
      return redis.sha1hex(spell(reply))
    end
    local parts = {}
    for i = 1, #reply, width do
      parts[#parts + 1] = redis.sha1hex(spell({ reply[i], width == 2 and reply[i + 1] or nil }))
    end
    table.sort(parts)
    return redis.sha1hex(table.concat(parts))
  end

  for check = compared + missing + 1, compared + missing + checks - 32 do
    local kind, key = ARGV[at], KEYS[k]
    at = at + 1
    k = k + 1
    if kind == "m" then
      local count = tonumber(ARGV[at])
      if not holds(call("SMEMBERS", key), at + 1, count, 1) then
        return { 0, check, false }
      end
      at = at + 1 + count
    elseif kind == "u" or kind == "q" then
      local holder = call("GET", key)
      if holder and kind == "q" then
        holder = unquote(holder)
      end
      if holder and holder ~= ARGV[at] and call("EXISTS", ARGV[at + 1] .. holder .. ARGV[at + 2]) == 1 then
        return { 0, check, holder }
      end
      at = at + 3
    elseif kind == "t" then
      local found = call("TYPE", key).ok
      if found ~= "none" and found ~= ARGV[at] then
        return { 0, check, found }
      end
      at = at + 1
    elseif kind == "e" then
      local now = call("TIME")
      local ahead = tonumber(ARGV[at]) - now[1] * 1000 - math.floor(now[2] / 1000)
      if ahead <= 0 or ahead > tonumber(ARGV[at + 1]) then
        return { 0, check, ahead <= 0 and "past" or "late" }
      end
      at = at + 2
    elseif kind == "n" then
      local field = ARGV[at]
      local found = field == "" and call("GET", key) or field ~= "" and call("HGET", key, field)
      if found and not isNumber(found, ARGV[at + 1]) then
        return { 0, check, false }
      end
      at = at + 2
    elseif kind == "p" then
      local count = tonumber(ARGV[at])
      if not holds(call("HGETALL", key), at + 1, count, 2) then
        return { 0, check, false }
      end
      at = at + 1 + count
    elseif kind == "l" then
      if not call("LINDEX", key, ARGV[at]) then
        return { 0, check, false }
      end
      at = at + 1
    else
      local words = { ARGV[at + 2], key }
      local count = tonumber(ARGV[at + 1])
      for i = 2, count do
        words[i + 1] = ARGV[at + 1 + i]
      end
      if digest(call(unpack(words)), kind == "s" and 1 or kind == "h" and 2 or 0) ~= ARGV[at] then
        return { 0, check, false }
      end
      at = at + 2 + count
    end
  end
end

-- New ids: the next ones that no record has, in steps that grow when many are taken.
-- The counters are only read here; they move when nothing can fail any more.
local result, before, after, fill
if counters > 32 then
  local placeholders = {}
  local allocated = 1
  result, before, after = { 1, "" }, {}, {}

  local function areFree(number, count, head, tail)
    if absent or count > UNPACKED then
      return false
    elseif count == 1 then
      return call("EXISTS", head .. string.format("%.0f", number + 1) .. tail) == 0
    end
    local keys = {}
    for i = 1, count do
      keys[i] = head .. string.format("%.0f", number + i) .. tail
    end
    return call("EXISTS", unpack(keys)) == 0
  end

  for _ = 33, counters do
    local counter, count, head, tail = KEYS[k], tonumber(ARGV[at]), ARGV[at + 1], ARGV[at + 2]
    local number = after[counter]
    if not number then
      local text = call("GET", counter) or "0"
      number = tonumber(text)
      if not isNumber(text, "i") or number > 9007199254740000 then
        return redis.error_reply("ENTITY.COUNTER " .. counter .. " is not an integer, so it cannot be incremented")
      end
      before[counter] = number
    end
    local free = areFree(number, count, head, tail)
    for i = 1, count do
      local step, tries, id = 1, 0, nil
      repeat
        number = number + step
        id = string.format("%.0f", number)
        tries = tries + 1
        if tries > 100 then
          step = step * 2
        end
      until free or not (absent and absent[head .. id .. tail]) and call("EXISTS", head .. id .. tail) == 0
      placeholders[ARGV[at + 2 + i]] = id
      allocated = allocated + 1
      result[allocated] = id
    end
    after[counter] = number
    at = at + 3 + count
    k = k + 1
  end

  -- A text with ids in the place of placeholders.
  fill = function(text)
    local whole = placeholders[text]
    if whole then
      return whole
    end
    local from = string.find(text, "kwid", 1, true)
    if not from then
      return text
    end
    local filled, rest = "", 1
    repeat
      local id = placeholders[string.sub(text, from, from + 27)]
      if id then
        filled = filled .. string.sub(text, rest, from - 1) .. id
        rest = from + 28
      end
      from = string.find(text, "kwid", id and rest or from + 1, true)
    until not from
    return filled .. string.sub(text, rest)
  end
end

for i = 33, types do
  local found = call("TYPE", fill(ARGV[at])).ok
  if found ~= "none" and found ~= ARGV[at + 1] then
    return { -2, i - 32, found }
  end
  at = at + 2
end

-- Sets come first: a key that is not a set is found out by trying, and what was done
-- before is undone. Where several members go into one at once, what to undo would not
-- be known: such a key is only looked at now, and written when all others are.
local several
if sets > 32 then
  local codes, member, members, done, count = ARGV[at], nil, nil, { "", "", "", "", "", "", "", "", "" }, 0
  at = at + 1
  for number = 1, sets - 32 do
    local code = string.byte(codes, number) - 32
    local flag = code % 6
    local size = (code - flag) / 6
    local key, name, undo, reply = nil, "SADD", "SREM", nil
    if flag % 2 == 1 then
      name, undo = undo, name
    end
    if flag >= 4 then
      key = fill(ARGV[at])
      at = at + 1
    else
      key = KEYS[k]
      k = k + 1
    end
    if size == 1 then
      member = flag < 2 and ARGV[at] or fill(ARGV[at])
    elseif size > 1 then
      member, members = nil, {}
      for i = 1, size do
        members[i] = flag < 2 and ARGV[at + i - 1] or fill(ARGV[at + i - 1])
      end
    end
    at = at + size
    if member then
      reply = pcall(name, key, member)
    else
      reply = pcall("SCARD", key)
    end
    if type(reply) == "table" then
      for j = count - 2, 1, -3 do
        call(done[j], done[j + 1], done[j + 2])
      end
      if string.sub(reply.err, 1, 9) == "WRONGTYPE" then
        return { -1, number }
      end
      return reply
    elseif not member then
      several = several or {}
      several[#several + 1] = { name, key, members }
    elseif reply == 1 then
      done[count + 1], done[count + 2], done[count + 3] = undo, key, member
      count = count + 3
    end
  end
end
if several then
  for _, set in ipairs(several) do
    call(set[1], set[2], unpack(set[3]))
  end
end
if after then
  for counter, number in pairs(after) do
    call("INCRBY", counter, string.format("%.0f", number - before[counter]))
  end
end

local words, size = { "", "", "", "" }, 0
local function set(key, value)
  if size >= UNPACKED then
    call("MSET", unpack(words, 1, size))
    size = 0
  end
  words[size + 1], words[size + 2] = key, value
  size = size + 2
end
for i = 1, changed do
  set(KEYS[i], ARGV[news + i - 1])
end
for _ = 33, strings do
  set(KEYS[k], ARGV[at])
  at = at + 1
  k = k + 1
end
for _ = 33, filled do
  local key = ARGV[at]
  if key == "" then
    key = KEYS[k]
    k = k + 1
  else
    key = fill(key)
  end
  set(key, fill(ARGV[at + 1]))
  at = at + 2
end
if size == 2 then
  call("SET", words[1], words[2])
elseif size > 0 then
  call("MSET", unpack(words, 1, size))
end

local last = compared + removed
for from = compared - gone + 1, last, UNPACKED do
  call("UNLINK", unpack(KEYS, from, math.min(from + UNPACKED - 1, last)))
end

if at > #ARGV and not operation then
  return result or 1
end

local function zaddin(key, ms, member)
  local now = call("TIME")
  call("ZADD", key, string.format("%.0f", now[1] * 1000 + math.floor(now[2] / 1000) + ms), member)
end

-- The commands that Redis does not have. False: it is not one of them.
local function own(name, key, a, b, c)
  if name == "DELIF" then
    if call("GET", key) == a then
      call("DEL", key)
    end
  elseif name == "ZADDIN" then
    zaddin(key, a, b)
  elseif name == "ZADDLEFT" then
    local left = call("PTTL", a)
    zaddin(key, left > 0 and left or b, c)
  elseif name == "LIVEAS" then
    local left = call("PTTL", a)
    if left > 0 then
      call("PEXPIRE", key, left)
    end
  elseif name == "REMOVE" then
    local type = call("TYPE", key).ok
    if type == "set" or type == "zset" then
      call(type == "set" and "SREM" or "ZREM", key, a)
    end
  else
    return false
  end
  return true
end

while at <= #ARGV do
  local count, name = tonumber(ARGV[at]), ARGV[at + 1]
  local key
  at = at + 2
  if count >= 0 then
    key = KEYS[k]
    k = k + 1
    if name == "SET" and count == 1 then
      call("SET", key, ARGV[at])
    elseif not own(name, key, ARGV[at], ARGV[at + 1], ARGV[at + 2]) then
      call(name, key, unpack(ARGV, at, at + count - 1))
    end
  else
    count = -count - 1
    if ARGV[at] == "" then
      key = KEYS[k]
      k = k + 1
    else
      key = fill(ARGV[at])
    end
    at = at + 1
    local words = {}
    for i = 1, count do
      words[i] = fill(ARGV[at + i - 1])
    end
    if not own(name, key, words[1], words[2], words[3]) then
      call(name, key, unpack(words))
    end
  end
  at = at + count
end

if operation then
  if tonumber(ARGV[2]) > 0 then
    local ids = result and table.concat(result, ",", 2) or ""
    local answer = fill and fill(ARGV[5]) or ARGV[5]
    call("SET", operation, table.concat({ ARGV[3], ARGV[4], ids, answer }, "\n"), "PX", ARGV[2])
  end
end
return result or 1
