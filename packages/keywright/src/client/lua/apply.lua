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
-- The long form, for everything:
--
-- KEYS     every key, in the order in which the parts below use them; the last is the
--          operation's own when ARGV[1] is not "" (it remembers the result for
--          whoever sends it again)
-- ARGV     how long the result is remembered in milliseconds, or ""
--   checks      how many, then for each: its kind, …
--     =  value            the string is exactly this
--     -                   there is no such key
--     +                   there is such a key
--     u  id head tail     free, or held by `id`, or by a record head..holder..tail that is gone
--     t  type             nothing, or this Redis type
--     n  field kind       nothing, or a number (i whole, f any); "" is the whole string
--     l  position         a list that has an element there
--     p  n …              a hash of exactly these n words, which are pairs
--     d  digest n …       reading it (n words of a command, without the key) gives this digest
--     s, h  …             the same, for members and for pairs that come in no order
--   new ids     how many, then for each: the placeholder that stands for it, head and
--               tail of the record's key. The key is the counter's
--   types       how many keys that hold placeholders, then for each: the key, its Redis type
--   sets        how many groups, then for each: a flag, the member, to how many sets it
--               is added, from how many it is removed. Flag m: the member holds a
--               placeholder; k: the keys do too, and follow here instead of in KEYS
--   commands    each: number of words, name, words …; a negative number: words hold
--               placeholders, and before them comes the key with placeholders, or ""
--     Some are our own: DELIF value (delete if it is this), ZADDIN ms member (the score
--     is the server's time in ms milliseconds), ZADDLEFT record ms member (the same, in
--     what that record has left), LIVEAS record (expires together with that record),
--     REMOVE member (from a set or a sorted set)
-- result   { 1, new ids … } or just 1; { 2, … } the same, of an earlier time; { 0, number of the
--          failed check, what was found }; { -1, number of the set that is none };
--          { -2, number of the key that has another type, its type }
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

local at, k = 2, 1
if ARGV[1] ~= "" then
  local remembered = call("GET", KEYS[#KEYS])
  if remembered then
    local result = cmsgpack.unpack(remembered)
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

local absent = {}
local checks = tonumber(ARGV[at])
at = at + 1
for check = 1, checks do
  local kind, key = ARGV[at], KEYS[k]
  at = at + 1
  k = k + 1
  if kind == "=" then
    local found = call("GET", key)
    if found ~= ARGV[at] then
      return { 0, check, found }
    end
    at = at + 1
  elseif kind == "u" then
    local holder = call("GET", key)
    if holder and holder ~= ARGV[at] and call("EXISTS", ARGV[at + 1] .. holder .. ARGV[at + 2]) == 1 then
      return { 0, check, holder }
    end
    at = at + 3
  elseif kind == "-" then
    if call("EXISTS", key) == 1 then
      return { 0, check, false }
    end
    absent[key] = true
  elseif kind == "+" then
    if call("EXISTS", key) == 0 then
      return { 0, check, false }
    end
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
local result = { 1 }
local placeholders, before, after
local allocations = tonumber(ARGV[at])
at = at + 1
for i = 1, allocations do
  local counter, head, tail = KEYS[k], ARGV[at + 1], ARGV[at + 2]
  placeholders, before, after = placeholders or {}, before or {}, after or {}
  local number = after[counter]
  if not number then
    local text = call("GET", counter) or "0"
    number = tonumber(text)
    if not isNumber(text, "i") or number > 9007199254740000 then
      return redis.error_reply("ENTITY.COUNTER " .. counter .. " holds no number to count on from")
    end
    before[counter] = number
  end
  local step, tries, id, key = 1, 0, nil, nil
  repeat
    number = number + step
    id = string.format("%.0f", number)
    key = head .. id .. tail
    tries = tries + 1
    if tries > 100 then
      step = step * 2
    end
  until not absent[key] and call("EXISTS", key) == 0
  after[counter] = number
  placeholders[ARGV[at]] = id
  result[i + 1] = id
  at = at + 3
  k = k + 1
end

local placeholder = "kwid" .. string.rep("%x", 24)
local function fill(text)
  return (string.gsub(text, placeholder, placeholders))
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
-- before is undone. So no key need be looked at before it is written.
local groups = tonumber(ARGV[at])
at = at + 1
local done, count = {}, 0
for _ = 1, groups do
  local flag, member = ARGV[at], ARGV[at + 1]
  local adds = tonumber(ARGV[at + 2])
  local total = adds + tonumber(ARGV[at + 3])
  at = at + 4
  if flag ~= "" then
    member = fill(member)
  end
  for i = 1, total do
    local key
    if flag == "k" then
      key = fill(ARGV[at])
      at = at + 1
    else
      key = KEYS[k]
      k = k + 1
    end
    local reply = pcall(i <= adds and "SADD" or "SREM", key, member)
    count = count + 1
    if reply == 1 then
      done[#done + 1] = i <= adds and "SREM" or "SADD"
      done[#done + 1] = key
      done[#done + 1] = member
    elseif reply ~= 0 then
      for j = #done - 2, 1, -3 do
        call(done[j], done[j + 1], done[j + 2])
      end
      if string.sub(reply.err, 1, 9) == "WRONGTYPE" then
        return { -1, count }
      end
      return reply
    end
  end
end

if after then
  for counter, number in pairs(after) do
    call("INCRBY", counter, string.format("%.0f", number - before[counter]))
  end
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

if ARGV[1] ~= "" then
  call("SET", KEYS[#KEYS], cmsgpack.pack(result), "PX", ARGV[1])
end
return result
