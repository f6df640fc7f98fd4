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
-- The long form, for everything. What can be done to many keys by one command is: most
-- of the time that a script takes goes into calling commands.
--
-- KEYS     every key, in the order in which the parts below use them; the last is the
--          operation's own when ARGV[1] is not "" (it remembers the result for
--          whoever sends it again)
-- ARGV     how long the result is remembered in milliseconds, or ""; what tells this
--          operation from others of the same id
--   texts       how many strings are compared, then what each of them is
--   absent      how many keys are not there
--   checks      how many others, then for each: its kind, …
--     u  id head tail     free, or held by `id`, or by a record head..holder..tail that is gone
--     t  type             nothing, or this Redis type
--     n  field kind       nothing, or a number (i whole, f any); "" is the whole string
--     l  position         a list that has an element there
--     p  n …              a hash of exactly these n words, which are pairs
--     m  n …              a set of exactly these n members
--     d  digest n …       reading it (n words of a command, without the key) gives this digest
--     s, h  …             the same, for members and for pairs that come in no order
--   new ids     from how many counters, then for each: how many ids, head and tail of
--               the records' keys, the placeholders that stand for them
--   types       how many keys that hold placeholders, then for each: the key, its Redis type
--   sets        how many, then for each: SADD or SREM, a flag, how many members, these.
--               Flag m: members hold placeholders; k: the key does too, and stands
--               before the members instead of in KEYS
--   strings     how many are set, then the value of each; how many that hold placeholders,
--               then for each: the key with placeholders, or "", and the value
--   removed     how many keys
--   commands    each: number of words, name, words …; a negative number: words hold
--               placeholders, and before them comes the key with placeholders, or ""
--     Some are our own: DELIF value (delete if it is this), ZADDIN ms member (the score
--     is the server's time in ms milliseconds), ZADDLEFT record ms member (the same, in
--     what that record has left), LIVEAS record (expires together with that record),
--     REMOVE member (from a set or a sorted set)
-- result   { 1, new ids … } or just 1; { 2, … } the same, of an earlier time; { 0, number of the
--          failed check, what was found }; { -1, number of the set that is none };
--          { -2, number of the key that has another type, its type }; { -3 } another
--          operation had this id
-- errors   ENTITY.COUNTER  a counter holds no whole number

local call, pcall = redis.call, redis.pcall

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

-- Whether a hash holds exactly these pairs: `count` words from ARGV[at] on, in any order.
local function holds(key, at, count)
  local found = call("HGETALL", key)
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
  for j = at, at + count - 1, 2 do
    expected[ARGV[j]] = ARGV[j + 1]
  end
  for j = 1, count, 2 do
    if expected[found[j]] ~= found[j + 1] then
      return false
    end
  end
  return true
end

if ARGV[1] == "#" then
  local count = tonumber(ARGV[2])
  if not holds(KEYS[1], 3, count) then
    return { 0, 1, false }
  end
  call("HSET", KEYS[1], unpack(ARGV, 3 + count))
  return 1
end

local operation = ARGV[1] ~= "" and KEYS[#KEYS]
if operation then
  local remembered = call("GET", operation)
  if remembered then
    local result = cmsgpack.unpack(remembered)
    if result[1] ~= ARGV[2] then
      return { -3 }
    end
    result[1] = 2
    return result
  end
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

local function isNumber(text, kind)
  local number = tonumber(text)
  if not number or number ~= number or math.abs(number) > 4e18 then
    return false
  end
  return string.find(text, kind == "i" and "^%-?%d+$" or "^%-?[%d.eE+-]+$") ~= nil
end

-- Whether a set holds exactly these members: `count` words from ARGV[at] on, in any order.
local function holdsMembers(key, at, count)
  local found = call("SMEMBERS", key)
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
  for j = at, at + count - 1 do
    expected[ARGV[j]] = true
  end
  for j = i, count do
    if not expected[found[j]] then
      return false
    end
  end
  return true
end

local UNPACKED = 2000
local at, k = 3, 1

local texts = tonumber(ARGV[at])
for from = 1, texts, UNPACKED do
  local to = math.min(from + UNPACKED - 1, texts)
  local found = call("MGET", unpack(KEYS, from, to))
  for i = from, to do
    if found[i - from + 1] ~= ARGV[at + i] then
      return { 0, i, found[i - from + 1] }
    end
  end
end
at = at + texts + 1
k = k + texts

local absent
local missing = tonumber(ARGV[at])
for from = k, k + missing - 1, UNPACKED do
  local to = math.min(from + UNPACKED, k + missing) - 1
  if call("EXISTS", unpack(KEYS, from, to)) > 0 then
    for i = from, to do
      if call("EXISTS", KEYS[i]) == 1 then
        return { 0, i, false }
      end
    end
  end
  absent = absent or {}
  for i = from, to do
    absent[KEYS[i]] = true
  end
end
at = at + 1
k = k + missing

local checks = tonumber(ARGV[at])
at = at + 1
for check = texts + missing + 1, texts + missing + checks do
  local kind, key = ARGV[at], KEYS[k]
  at = at + 1
  k = k + 1
  if kind == "m" then
    local count = tonumber(ARGV[at])
    if not holdsMembers(key, at + 1, count) then
      return { 0, check, false }
    end
    at = at + 1 + count
  elseif kind == "u" then
    local holder = call("GET", key)
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
  elseif kind == "n" then
    local field = ARGV[at]
    local found = field == "" and call("GET", key) or field ~= "" and call("HGET", key, field)
    if found and not isNumber(found, ARGV[at + 1]) then
      return { 0, check, false }
    end
    at = at + 2
  elseif kind == "p" then
    local count = tonumber(ARGV[at])
    if not holds(key, at + 1, count) then
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

-- New ids: the next ones that no record has, in steps that grow when many are taken.
-- The counters are only read here; they move when nothing can fail any more.
local placeholders, before, after, result

local function isTaken(key)
  return absent and absent[key] or call("EXISTS", key) == 1
end

local function areFree(number, count, head, tail)
  if absent or count > UNPACKED then
    return false
  end
  local keys = {}
  for i = 1, count do
    keys[i] = head .. string.format("%.0f", number + i) .. tail
  end
  return call("EXISTS", unpack(keys)) == 0
end

local counters = tonumber(ARGV[at])
at = at + 1
for _ = 1, counters do
  local counter, count, head, tail = KEYS[k], tonumber(ARGV[at]), ARGV[at + 1], ARGV[at + 2]
  placeholders, before, after, result = placeholders or {}, before or {}, after or {}, result or { 1 }
  local number = after[counter]
  if not number then
    local text = call("GET", counter) or "0"
    number = tonumber(text)
    if not isNumber(text, "i") or number > 9007199254740000 then
      return redis.error_reply("ENTITY.COUNTER " .. counter .. " holds no number to count on from")
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
    until free or not isTaken(head .. id .. tail)
    placeholders[ARGV[at + 2 + i]] = id
    result[#result + 1] = id
  end
  after[counter] = number
  at = at + 3 + count
  k = k + 1
end

-- A text with ids in the place of placeholders.
local function fill(text)
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

for i = 1, tonumber(ARGV[at]) do
  local found = call("TYPE", fill(ARGV[at + 1])).ok
  if found ~= "none" and found ~= ARGV[at + 2] then
    return { -2, i, found }
  end
  at = at + 2
end
at = at + 1

-- Sets come first: a key that is none is found out by trying, and what was done
-- before is undone. Where several members go into one at once, what to undo would not
-- be known: such a key is only looked at now, and written when all others are.
local sets = tonumber(ARGV[at])
at = at + 1
local done, count, several = nil, 0, nil
for number = 1, sets do
  local name, flag, members = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
  local key, member, reply
  at = at + 3
  if flag == "k" then
    key = fill(ARGV[at])
    at = at + 1
  else
    key = KEYS[k]
    k = k + 1
  end
  if members == 1 then
    member = flag == "" and ARGV[at] or fill(ARGV[at])
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
  elseif members > 1 then
    local words = { name, key }
    for i = 0, members - 1 do
      words[i + 3] = flag == "" and ARGV[at + i] or fill(ARGV[at + i])
    end
    several = several or {}
    several[#several + 1] = words
  elseif reply == 1 then
    done = done or {}
    done[count + 1], done[count + 2], done[count + 3] = name == "SADD" and "SREM" or "SADD", key, member
    count = count + 3
  end
  at = at + members
end
for _, words in ipairs(several or {}) do
  call(unpack(words))
end
if after then
  for counter, number in pairs(after) do
    call("INCRBY", counter, string.format("%.0f", number - before[counter]))
  end
end

local words, size = {}, 0
local function set(key, value)
  words[size + 1], words[size + 2] = key, value
  size = size + 2
  if size >= UNPACKED then
    call("MSET", unpack(words, 1, size))
    size = 0
  end
end
for i = 1, tonumber(ARGV[at]) do
  set(KEYS[k], ARGV[at + i])
  k = k + 1
end
at = at + tonumber(ARGV[at]) + 1
for i = 1, tonumber(ARGV[at]) do
  local key = ARGV[at + 2 * i - 1]
  if key == "" then
    key = KEYS[k]
    k = k + 1
  else
    key = fill(key)
  end
  set(key, fill(ARGV[at + 2 * i]))
end
at = at + 2 * tonumber(ARGV[at]) + 1
if size == 2 then
  call("SET", words[1], words[2])
elseif size > 0 then
  call("MSET", unpack(words, 1, size))
end

local removed = tonumber(ARGV[at])
for from = k, k + removed - 1, UNPACKED do
  call("UNLINK", unpack(KEYS, from, math.min(from + UNPACKED, k + removed) - 1))
end
at = at + 1
k = k + removed

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

local last = #ARGV
while at <= last do
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
  result = result or { 1 }
  result[1] = ARGV[2]
  call("SET", operation, cmsgpack.pack(result), "PX", ARGV[1])
  result[1] = 1
end
return result or 1
